package dev.outbox.smtp;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing run of bytes. Not for use by several threads at once. */
final class ByteBuilder {

  static final byte[] CRLF = {'\r', '\n'};

  private byte[] content;
  private int length;

  ByteBuilder(int capacity) {
    this.content = new byte[Math.max(16, capacity)];
  }

  ByteBuilder add(int octet) {
    room(1);
    content[length++] = (byte) octet;
    return this;
  }

  ByteBuilder add(byte[] bytes) {
    return add(bytes, 0, bytes.length);
  }

  ByteBuilder add(byte[] bytes, int start, int count) {
    room(count);
    System.arraycopy(bytes, start, content, length, count);
    length += count;
    return this;
  }

  ByteBuilder add(String text) {
    return add(text.getBytes(StandardCharsets.UTF_8));
  }

  ByteBuilder line() {
    return add(CRLF);
  }

  int length() {
    return length;
  }

  /** Returns the array behind this, of which the first {@link #length()} bytes count. */
  byte[] array() {
    return content;
  }

  byte[] toArray() {
    return Arrays.copyOf(content, length);
  }

  private void room(int more) {
    if (content.length - length < more) {
      content = Arrays.copyOf(content, Math.max(content.length * 2, length + more));
    }
  }
}
