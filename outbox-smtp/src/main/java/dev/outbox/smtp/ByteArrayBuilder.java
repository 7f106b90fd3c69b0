package dev.outbox.smtp;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing run of bytes. Not for use by several threads at once. */
final class ByteArrayBuilder {

  static final byte[] CRLF = {'\r', '\n'};

  private byte[] content;
  private int length;

  ByteArrayBuilder(int capacity) {
    this.content = new byte[Math.max(16, capacity)];
  }

  ByteArrayBuilder add(int octet) {
    room(1);
    content[length++] = (byte) octet;
    return this;
  }

  ByteArrayBuilder add(byte[] bytes) {
    return add(bytes, 0, bytes.length);
  }

  ByteArrayBuilder add(byte[] bytes, int start, int count) {
    room(count);
    System.arraycopy(bytes, start, content, length, count);
    length += count;
    return this;
  }

  /** Adds the UTF-8 form of a text, which is mostly short and in ASCII. */
  ByteArrayBuilder add(String text) {
    int count = text.length();
    room(count);
    for (int i = 0; i < count; i++) {
      char c = text.charAt(i);
      if (c > 127) {
        return add(text.getBytes(StandardCharsets.UTF_8));
      }
      content[length + i] = (byte) c;
    }
    length += count;
    return this;
  }

  ByteArrayBuilder line() {
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
