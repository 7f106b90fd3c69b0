package dev.outbox.email;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What an email says: a template with its data, or the words themselves. */
public sealed interface Body {

  /**
   * A body, and perhaps a subject, rendered from a template when the email is taken in.
   *
   * @param template the template's name
   * @param data what the template prints
   * @param locale asks for the template in a language; null for the plain one
   */
  record Templated(String template, TemplateData data, @Nullable Locale locale) implements Body {

    private static final int MAX_NAME = 200;

    /** Checks the name; whether there is such a template is the outbox's to know. */
    public Templated {
      checkedName(template);
    }

    static String checkedName(String template) {
      return HeaderValidation.checked("template", template, MAX_NAME);
    }

    /** Shows the template only. */
    @Override
    public String toString() {
      return "Templated[" + template + "]";
    }
  }

  /**
   * A body given word for word; at least one of the two.
   *
   * @param html the html form, or null
   * @param text the plain form, or null
   */
  record Inline(@Nullable String html, @Nullable String text) implements Body {

    /** Refuses a body without words, and words that cannot be stored as UTF-8. */
    public Inline {
      if (html == null && text == null) {
        throw new InvalidEmailException("body", "neither a template nor html nor text");
      }
      if (html != null) {
        HeaderValidation.wellFormed("html", html);
      }
      if (text != null) {
        HeaderValidation.wellFormed("text", text);
      }
    }

    /** Shows nothing of the words. */
    @Override
    public String toString() {
      return "Inline[html=%b, text=%b]".formatted(html != null, text != null);
    }
  }
}
