package dev.outbox.email;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An immutable run of bytes; it shows its length and never its content. */
public final class Bytes {

  private static final Bytes EMPTY = new Bytes(new byte[0]);

  private final byte[] content;

  private Bytes(byte[] content) {
    this.content = content;
  }

  /** Returns a run of no bytes. */
  public static Bytes empty() {
    return EMPTY;
  }

  /** Returns a copy of the given bytes. */
  public static Bytes copyOf(byte[] content) {
    return new Bytes(content.clone());
  }

  /**
   * Takes over an array that nobody else will write to, without copying it. For stores and
   * transports that have just made the array.
   */
  public static Bytes owned(byte[] content) {
    return new Bytes(content);
  }

  /** Returns the UTF-8 form of a text. */
  public static Bytes utf8(String text) {
    return new Bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns how many bytes there are. */
  public int length() {
    return content.length;
  }

  /** Returns a fresh copy. */
  public byte[] toArray() {
    return content.clone();
  }

  /** Reads the bytes as UTF-8 text. */
  public String toUtf8() {
    return new String(content, StandardCharsets.UTF_8);
  }

  /** Opens a stream over the bytes, without copying them. */
  public InputStream open() {
    return new ByteArrayInputStream(content);
  }

  /**
   * Writes the bytes out, without copying them.
   *
   * @throws IOException if the stream refuses
   */
  public void writeTo(OutputStream out) throws IOException {
    out.write(content);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Bytes that && Arrays.equals(content, that.content);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(content);
  }

  @Override
  public String toString() {
    return content.length + " bytes";
  }
}
