package dev.outbox.smtp;

/**
 * One header while it is written: words with a space before each, folded into lines. Used by one
 * thread.
 */
final class FoldedHeader {

  /**
   * The longest line. RFC 2047 (2) allows 76 characters in a line that has an encoded word, RFC
   * 5322 (2.1.1) recommends 78 for all others.
   */
  static final int LINE = 76;

  private final ByteArrayBuilder out;
  private int column;
  private boolean first = true;

  /** Starts a header. */
  FoldedHeader(ByteArrayBuilder out, String name) {
    this.out = out.add(name).add(':');
    this.column = name.length() + 1;
  }

  /**
   * Adds a word as it is. A word that is longer than a line stays whole. An empty word stands for
   * one space of several.
   */
  FoldedHeader word(String word) {
    if (!word.isEmpty() && word.length() > room() && mayFoldBefore(word)) {
      fold();
    }
    out.add(' ').add(word);
    column += 1 + word.length();
    first = false;
    return this;
  }

  /** Adds a text as encoded words, none if it is empty. */
  FoldedHeader encoded(String text) {
    if (!first && EncodedWords.length(text) > room()) {
      fold();
    }
    for (int start = 0; start < text.length(); ) {
      if (room() < EncodedWords.SMALLEST) {
        fold();
      }
      int end = EncodedWords.end(text, start, room());
      word(EncodedWords.word(text.substring(start, end)));
      start = end;
    }
    return this;
  }

  /** Ends the header. */
  void end() {
    out.line();
  }

  private int room() {
    return LINE - column - 1;
  }

  private boolean mayFoldBefore(String word) {
    // A fold after the colon is of no use to a word that is longer than a line. Elsewhere a line
    // must not end in a space.
    return first ? word.length() < LINE : out.array()[out.length() - 1] != ' ';
  }

  private void fold() {
    out.line();
    column = 0;
  }
}
