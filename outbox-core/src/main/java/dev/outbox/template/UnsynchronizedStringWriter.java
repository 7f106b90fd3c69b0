package dev.outbox.template;

import java.io.Writer;

/** Gathers text for one thread; the JDK's own writer locks for every word. */
final class UnsynchronizedStringWriter extends Writer {

  private final StringBuilder text = new StringBuilder(1024);

  @Override
  public void write(char[] from, int start, int count) {
    text.append(from, start, count);
  }

  @Override
  public void write(String from) {
    text.append(from);
  }

  @Override
  public Writer append(CharSequence from) {
    text.append(from);
    return this;
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}

  @Override
  public String toString() {
    return text.toString();
  }
}
