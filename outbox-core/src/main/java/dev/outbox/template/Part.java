package dev.outbox.template;

/** A part of an email that has a file of its own. */
enum Part {
  SUBJECT("subject"),
  HTML("html"),
  TEXT("txt");

  final String suffix;

  Part(String suffix) {
    this.suffix = suffix;
  }

  static Part ofSuffix(String suffix) {
    for (Part part : values()) {
      if (part.suffix.equals(suffix)) {
        return part;
      }
    }
    throw new IllegalArgumentException(suffix);
  }
}
