package dev.outbox.template;

import org.jspecify.annotations.Nullable;

/**
 * A template filled with data. {@link #toString} shows sizes alone.
 *
 * @param subject a single line, or null if the template has none
 * @param html the HTML body, or null
 * @param text the text body, or null; at least one body is there
 */
public record RenderedTemplate(
    @Nullable String subject, @Nullable String html, @Nullable String text) {

  /**
   * Checks that there is a body and that the subject fits on one line.
   *
   * @throws IllegalArgumentException if not
   */
  public RenderedTemplate {
    if (html == null && text == null) {
      throw new IllegalArgumentException("neither html nor text");
    }
    if (subject != null && !isOneLine(subject)) {
      throw new IllegalArgumentException("subject has a line break or NUL");
    }
  }

  static boolean isOneLine(String text) {
    return text.chars().noneMatch(c -> c == '\r' || c == '\n' || c == 0);
  }

  @Override
  public String toString() {
    return "Rendered[subject="
        + size(subject)
        + ", html="
        + size(html)
        + ", text="
        + size(text)
        + "]";
  }

  private static String size(@Nullable String part) {
    return part == null ? "none" : part.length() + " characters";
  }
}
