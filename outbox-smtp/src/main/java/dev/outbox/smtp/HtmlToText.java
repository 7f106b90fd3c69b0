package dev.outbox.smtp;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Derives the plain text of an html body, for emails that have none: words, line breaks, and where
 * links lead. It reads any input once, from left to right.
 */
final class HtmlToText {

  private static final Set<String> SILENT = Set.of("head", "script", "style", "title");
  private static final Set<String> BLOCKS =
      Set.of(
          "address",
          "article",
          "blockquote",
          "div",
          "footer",
          "h1",
          "h2",
          "h3",
          "h4",
          "h5",
          "h6",
          "header",
          "hr",
          "li",
          "ol",
          "p",
          "pre",
          "section",
          "table",
          "tr",
          "ul");
  private static final Map<String, String> ENTITIES =
      Map.of(
          "amp", "&", "lt", "<", "gt", ">", "quot", "\"", "apos", "'", "nbsp", " ", "copy",
          "\u00a9", "euro", "\u20ac", "ndash", "\u2013", "mdash", "\u2014");
  private static final int LONGEST_ENTITY = 10;

  private final String html;
  private final StringBuilder text = new StringBuilder();
  private String link = "";
  private int linkStart;

  private HtmlToText(String html) {
    this.html = html;
  }

  static String of(String html) {
    return new HtmlToText(html).read();
  }

  private String read() {
    int i = 0;
    while (i < html.length()) {
      char c = html.charAt(i);
      if (c == '<' && startsTag(i)) {
        i = tag(i);
      } else if (c == '&') {
        i = entity(i);
      } else {
        word(c);
        i++;
      }
    }
    return text.toString().strip() + "\n";
  }

  private boolean startsTag(int i) {
    if (i + 1 >= html.length()) {
      return false;
    }
    char c = html.charAt(i + 1);
    return Character.isLetter(c) || c == '/' || c == '!' || c == '?';
  }

  private void word(char c) {
    if (!Character.isWhitespace(c)) {
      text.append(c);
    } else if (!text.isEmpty() && !Character.isWhitespace(text.charAt(text.length() - 1))) {
      text.append(' ');
    }
  }

  private int tag(int start) {
    if (html.startsWith("<!--", start)) {
      return after("-->", start + 4);
    }
    int end = html.indexOf('>', start);
    if (end < 0) {
      return html.length();
    }
    String inside = html.substring(start + 1, end);
    boolean closing = inside.startsWith("/");
    String name = nameOf(closing ? inside.substring(1) : inside);
    if (!closing && SILENT.contains(name)) {
      return after("</" + name, end + 1);
    }
    if (name.equals("br")) {
      newLine(2);
    } else if (name.equals("td") && !closing) {
      word(' ');
    } else if (name.equals("a")) {
      link(closing, inside);
    } else if (BLOCKS.contains(name)) {
      newLine(name.equals("p") || name.startsWith("h") ? 2 : 1);
      if (name.equals("li") && !closing) {
        text.append("- ");
      }
    }
    return end + 1;
  }

  /** Skips to after a piece of html, or to the end if it never comes. */
  private int after(String piece, int from) {
    for (int i = from; i <= html.length() - piece.length(); i++) {
      if (html.regionMatches(true, i, piece, 0, piece.length())) {
        int end = html.indexOf('>', i);
        return end < 0 ? html.length() : end + 1;
      }
    }
    return html.length();
  }

  private static String nameOf(String inside) {
    int end = 0;
    while (end < inside.length() && Character.isLetterOrDigit(inside.charAt(end))) {
      end++;
    }
    return inside.substring(0, end).toLowerCase(Locale.ROOT);
  }

  /** Ends the line; at most so many line ends follow each other. */
  private void newLine(int most) {
    int end = text.length();
    while (end > 0 && text.charAt(end - 1) == ' ') {
      end--;
    }
    text.setLength(end);
    int breaks = 0;
    while (breaks < end && text.charAt(end - 1 - breaks) == '\n') {
      breaks++;
    }
    if (end > 0 && breaks < most) {
      text.append('\n');
    }
  }

  private void link(boolean closing, String inside) {
    if (!closing) {
      link = href(inside);
      linkStart = text.length();
      return;
    }
    if (!link.isEmpty() && linkStart <= text.length()) {
      String shown = text.substring(linkStart).strip();
      if (!shown.equals(link) && !link.equals("mailto:" + shown)) {
        text.append(shown.isEmpty() ? link : " (" + link + ")");
      }
    }
    link = "";
  }

  private static String href(String inside) {
    int at = inside.toLowerCase(Locale.ROOT).indexOf("href=");
    if (at < 0 || at + 6 > inside.length()) {
      return "";
    }
    char quote = inside.charAt(at + 5);
    int start = quote == '"' || quote == '\'' ? at + 6 : at + 5;
    int end = inside.indexOf(quote == '"' || quote == '\'' ? quote : ' ', start);
    String target = inside.substring(start, end < 0 ? inside.length() : end).strip();
    return target.startsWith("#") ? "" : target.replace("&amp;", "&");
  }

  private int entity(int start) {
    int end = start + 1;
    while (end < html.length() && end - start < LONGEST_ENTITY && html.charAt(end) != ';') {
      end++;
    }
    if (end == html.length() || html.charAt(end) != ';') {
      text.append('&');
      return start + 1;
    }
    String name = html.substring(start + 1, end);
    String meaning = name.startsWith("#") ? number(name.substring(1)) : ENTITIES.get(name);
    if (meaning == null) {
      text.append('&');
      return start + 1;
    }
    text.append(meaning);
    return end + 1;
  }

  private static @Nullable String number(String digits) {
    try {
      boolean hex = digits.startsWith("x") || digits.startsWith("X");
      int point = hex ? Integer.parseInt(digits.substring(1), 16) : Integer.parseInt(digits);
      boolean usable = Character.isValidCodePoint(point) && !Character.isISOControl(point);
      return usable && (point < 0xd800 || point > 0xdfff) ? Character.toString(point) : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
