package dev.outbox.callback;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a receiver of callbacks, written in Java, checks signatures with.
 *
 * <pre>{@code
 * CallbackVerifier verifier = CallbackVerifier.of(secret);
 * String key = request.header("Idempotency-Key");
 * if (!verifier.verify(key, request.header("Outbox-Signature"), request.bodyAsBytes())) {
 *   return 401;
 * }
 * }</pre>
 *
 * <p>The body has to be the very bytes that came in. Immutable, and safe for many threads.
 */
public final class CallbackVerifier {

  private static final Duration TOLERANCE = Duration.ofMinutes(5);

  /** More signatures than anybody has secrets; the header comes from a stranger. */
  private static final int MOST = 10;

  private final List<CallbackSigner> secrets;
  private final Duration tolerance;
  private final Clock clock;

  private CallbackVerifier(List<CallbackSigner> secrets, Duration tolerance, Clock clock) {
    this.secrets = List.copyOf(secrets);
    this.tolerance = tolerance;
    this.clock = clock;
  }

  /**
   * Returns a verifier that accepts what is signed with any of these secrets, and is not older or
   * newer than five minutes. Two secrets are for the time in which one replaces the other.
   */
  public static CallbackVerifier of(String secret, String... more) {
    return new CallbackVerifier(
        Stream.concat(Stream.of(secret), Stream.of(more)).map(CallbackSigner::new).toList(),
        TOLERANCE,
        Clock.systemUTC());
  }

  /** Returns the same with another limit on how far the sender's clock and the way may be off. */
  public CallbackVerifier tolerance(Duration limit) {
    if (limit.isNegative()) {
      throw new IllegalArgumentException("tolerance: below zero: " + limit);
    }
    return new CallbackVerifier(secrets, limit, clock);
  }

  /** Returns the same with another clock, for tests. */
  public CallbackVerifier clock(Clock time) {
    return new CallbackVerifier(secrets, tolerance, time);
  }

  /**
   * Returns whether key, time and body of a call were signed with one of the secrets, and the time
   * is within the tolerance. A call that was recorded and is repeated under another key, with
   * another time or with another body is not.
   *
   * @param key the value of the header {@code Idempotency-Key}; null if there was none
   * @param header the value of the header {@code Outbox-Signature}; null if there was none
   * @param body the body's bytes as they came in
   */
  public boolean verify(@Nullable String key, @Nullable String header, byte[] body) {
    // With a dot in the key, one signed text could be split into key, time and body in two ways.
    if (key == null || key.indexOf('.') >= 0 || header == null) {
      return false;
    }
    Long seconds = null;
    List<String> signatures = new ArrayList<>();
    for (String part : header.split(",", MOST + 2)) {
      String trimmed = part.strip();
      if (trimmed.startsWith("t=") && seconds == null) {
        seconds = number(trimmed.substring(2));
      } else if (trimmed.startsWith("v1=")) {
        signatures.add(trimmed.substring(3));
      }
    }
    return seconds != null && isRecent(seconds) && isSigned(key, seconds, signatures, body);
  }

  private boolean isRecent(long seconds) {
    return Math.abs(clock.instant().getEpochSecond() - seconds) <= tolerance.toSeconds();
  }

  private boolean isSigned(String key, long seconds, List<String> signatures, byte[] body) {
    boolean signed = false;
    for (CallbackSigner secret : secrets) {
      byte[] expected = ascii(secret.sign(key, seconds, body));
      for (String signature : signatures) {
        // Compared in constant time, so that nobody learns how much of a guess was right.
        signed |= MessageDigest.isEqual(expected, ascii(signature));
      }
    }
    return signed;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static @Nullable Long number(String digits) {
    return digits.matches("\\d{1,12}") ? Long.valueOf(digits) : null;
  }
}
