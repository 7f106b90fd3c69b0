package dev.outbox.template;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A template file, read and looked through, not yet compiled.
 *
 * @param path from the top of the folder, for messages
 * @param name of the template it belongs to
 * @param locale as a language tag, empty for the plain file
 */
record TemplateFile(
    String path,
    String name,
    String locale,
    TemplatePart part,
    String source,
    List<TemplateTag> tags) {

  static final String EXTENSION = ".mustache";

  private static final String SEGMENT = "[A-Za-z0-9_][A-Za-z0-9_-]*";
  private static final Pattern NAME = Pattern.compile(SEGMENT + "(?:/" + SEGMENT + ")*");
  private static final Pattern PATH =
      Pattern.compile(
          "(" + NAME.pattern() + ")(?:\\.([A-Za-z0-9-]+))?\\.(subject|html|txt)\\.mustache");

  static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  static TemplateFile read(String path, byte[] content) {
    Matcher matcher = PATH.matcher(path);
    if (!matcher.matches()) {
      throw new TemplateException(
          path
              + ": is not named like order-confirmed.html.mustache or order-confirmed.it.txt.mustache");
    }
    String locale = matcher.group(2) == null ? "" : matcher.group(2);
    if (!locale.isEmpty() && !Locale.forLanguageTag(locale).toLanguageTag().equals(locale)) {
      throw new TemplateException(path + ": " + locale + " is not a locale such as it or it-IT");
    }
    TemplatePart part = TemplatePart.ofSuffix(matcher.group(3));
    String source = decode(path, content);
    if (part == TemplatePart.SUBJECT) {
      // editors end a file with a line break; any other one is the author's, and refused when
      // rendered
      source = source.replaceFirst("\\r?\\n\\z", "");
    }
    return new TemplateFile(
        path, matcher.group(1), locale, part, source, TemplateTag.scan(path, source));
  }

  private static String decode(String path, byte[] content) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
      return text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new TemplateException(path + ": is not UTF-8");
    }
  }

  /** Says whether the file is only there for others to include. */
  boolean isPartialOnly() {
    return name.startsWith("_", name.lastIndexOf('/') + 1);
  }
}
