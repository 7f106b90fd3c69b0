package dev.outbox.callback;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret with which calls are signed: HMAC-SHA256 over the idempotency key, a dot, the time in
 * seconds, a dot and the body, as in Standard Webhooks.
 */
final class CallbackSigner {

  /** The header that carries time and signatures, as {@code t=1893456000,v1=…}. */
  static final String HEADER = "Outbox-Signature";

  /** The header that carries the idempotency key of the call. */
  static final String KEY_HEADER = "Idempotency-Key";

  private static final String ALGORITHM = "HmacSHA256";
  private static final int SHORTEST = 16;

  private final SecretKeySpec secretKey;

  CallbackSigner(String secret) {
    byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
    if (bytes.length < SHORTEST) {
      throw new IllegalArgumentException(
          "secret: %d bytes, want at least %d".formatted(bytes.length, SHORTEST));
    }
    this.secretKey = new SecretKeySpec(bytes, ALGORITHM);
  }

  /**
   * Returns the signature in hexadecimal digits.
   *
   * @param key the value of {@link #KEY_HEADER}, without a dot
   */
  String sign(String key, long seconds, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(secretKey);
      mac.update((key + "." + seconds + ".").getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }
}
