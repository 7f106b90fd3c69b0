package dev.outbox.store;

import dev.outbox.email.Bytes;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A SHA-256 value, by which a store compares what it need not know.
 *
 * @param hex 64 lower-case hexadecimal digits
 */
public record Sha256(String hex) {

  private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");

  /** Checks the form. */
  public Sha256 {
    if (!HEX.matcher(hex).matches()) {
      throw new IllegalArgumentException("digest: not 64 lower-case hexadecimal digits");
    }
  }

  /** Returns the digest of some bytes. */
  public static Sha256 of(Bytes bytes) {
    MessageDigest sha256;
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
    try (var out = new DigestOutputStream(OutputStream.nullOutputStream(), sha256)) {
      bytes.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Sha256(HexFormat.of().formatHex(sha256.digest()));
  }

  /** Returns the digest of a text's UTF-8 form. */
  public static Sha256 of(String text) {
    return of(Bytes.utf8(text));
  }
}
