package dev.outbox.template;

/** A part of an email that has a file of its own. */
enum TemplatePart {
  SUBJECT("subject"),
  HTML("html"),
  TEXT("txt");

  final String suffix;

  TemplatePart(String suffix) {
    this.suffix = suffix;
  }

  static TemplatePart ofSuffix(String suffix) {
    for (TemplatePart part : values()) {
      if (part.suffix.equals(suffix)) {
        return part;
      }
    }
    throw new IllegalArgumentException(suffix);
  }
}
