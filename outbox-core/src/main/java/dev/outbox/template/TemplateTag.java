package dev.outbox.template;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A tag of a template.
 *
 * <p>jmustache prints a tag that is never closed as text, fails on an empty one without saying
 * where, and its exceptions do not say in which file they arose; looking at the tags ourselves
 * makes up for all three.
 *
 * @param kind the sign after the braces, or a space for a variable
 */
record TemplateTag(char kind, String name, int line) {

  private static final String SIGNS = "#^/>!&$<";
  private static final String NOT_CLOSED = "a tag is not closed";
  private static final Pattern DELIMITERS = Pattern.compile("=(\\S{1,2}) (\\S{1,2})=");

  /** Dots only between names, because jmustache takes names apart at them. */
  private static final Pattern VARIABLE = Pattern.compile("\\.|[^.\\s]+(?:\\.[^.\\s]+)*");

  /** Says whether this tag stands for the variable, or for something inside it. */
  boolean asksFor(String variable) {
    return name.equals(variable) || name.startsWith(variable + ".");
  }

  boolean isReference() {
    return kind == '>' || kind == '<';
  }

  static List<TemplateTag> scan(String path, String source) {
    List<TemplateTag> tags = new ArrayList<>();
    String open = "{{";
    String close = "}}";
    int line = 1;
    int seen = 0;
    for (int start = source.indexOf(open); start >= 0; start = source.indexOf(open, seen)) {
      line += linesIn(source, seen, start);
      int end = source.indexOf(close, start + open.length());
      if (end < 0) {
        throw broken(path, line, NOT_CLOSED);
      }
      String inside = source.substring(start + open.length(), end);
      seen = end + close.length();
      line += linesIn(source, start, seen);
      Matcher delimiters = DELIMITERS.matcher(inside);
      if (delimiters.matches()) {
        open = delimiters.group(1);
        close = delimiters.group(2);
      } else if (inside.startsWith("=")) {
        throw broken(path, line, "delimiters are set like {{=<% %>=}}");
      } else {
        // the parser takes a brace inside a tag for the start of another one, and prints the first
        if (inside.indexOf(open.charAt(0), 1) > 0 && !inside.startsWith("!")) {
          throw broken(path, line, NOT_CLOSED);
        }
        boolean triple = open.equals("{{") && inside.startsWith("{");
        tags.add(of(path, triple ? "&" + inside.substring(1) : inside, line));
      }
    }
    return List.copyOf(tags);
  }

  private static TemplateTag of(String path, String inside, int line) {
    String text = inside.strip();
    char kind = text.isEmpty() || SIGNS.indexOf(text.charAt(0)) < 0 ? ' ' : text.charAt(0);
    String name = kind == ' ' ? text : text.substring(1).strip();
    if (kind != '!' && !VARIABLE.matcher(name).matches()) {
      throw broken(path, line, "a tag has no proper name");
    }
    return new TemplateTag(kind, name, line);
  }

  private static int linesIn(String source, int from, int to) {
    return (int) source.substring(from, to).chars().filter(c -> c == '\n').count();
  }

  private static TemplateException broken(String path, int line, String problem) {
    return new TemplateException(path + ":" + line + ": " + problem);
  }
}
