package dev.outbox.verification.chaos;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A file in which a producer writes what it is about to ask for, and what was promised to it. A
 * line is one write, so that it is there whole or not at all however the process ends.
 */
final class Journal implements AutoCloseable {

  /** Not a channel, which an interrupt of a writing thread would close. */
  private final FileOutputStream file;

  Journal(Path path) {
    try {
      this.file = new FileOutputStream(path.toFile(), true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  synchronized void write(JournalVerb verb, Line line, Object... words) {
    StringBuilder text = new StringBuilder(verb + " " + line);
    for (Object word : words) {
      text.append(' ').append(word);
    }
    text.append('\n');
    try {
      file.write(text.toString().getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
