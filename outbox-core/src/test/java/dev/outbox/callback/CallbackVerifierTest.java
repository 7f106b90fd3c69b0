package dev.outbox.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallbackVerifierTest {

  private static final String SECRET = "a secret of 16 bytes or more";
  private static final String OTHER = "another secret of 16 bytes";
  private static final byte[] BODY = "{\"id\":\"42\"}".getBytes(StandardCharsets.UTF_8);
  private static final long TIME = 1_893_456_000;

  private static final String KEY = "42-SENT-0";

  /**
   * Made by another program: HMAC-SHA256 with SECRET over {@code 42-SENT-0.1893456000.{"id":"42"}}.
   */
  private static final String SIGNATURE =
      "4f917ef2c8ba9ab23772d125257c71ea58c910b29c2b81d052f44700a95f4536";

  private static final String HEADER = "t=" + TIME + ",v1=" + SIGNATURE;

  private final CallbackVerifier verifier = CallbackVerifier.of(SECRET).clock(at(TIME));

  @Test
  void whatAnotherProgramSignedIsAccepted() {
    assertThat(new CallbackSigner(SECRET).sign(KEY, TIME, BODY)).isEqualTo(SIGNATURE);
    assertThat(verifier.verify(KEY, HEADER, BODY)).isTrue();
  }

  @Test
  void aReplayUnderAnotherKeyIsRefused() {
    for (String key :
        new String[] {"42-SENT-1", "43-SENT-0", "42-FAILED-0", "42-sent-0", "", " "}) {
      assertThat(verifier.verify(key, signed(), BODY)).as(key).isFalse();
    }
    assertThat(verifier.verify(null, signed(), BODY)).as("no key").isFalse();
  }

  @Test
  void aReplayWithAnotherTimeIsRefused() {
    assertThat(verifier.verify(KEY, signed().replace("t=" + TIME, "t=" + (TIME + 1)), BODY))
        .isFalse();
    assertThat(verifier.verify(KEY, signed().replace("t=" + TIME, "t=" + (TIME - 1)), BODY))
        .isFalse();
  }

  @Test
  void aReplayWithAnotherBodyIsRefused() {
    assertThat(verifier.verify(KEY, signed(), utf8("{\"id\":\"43\"}"))).isFalse();
    assertThat(verifier.verify(KEY, signed(), new byte[0])).isFalse();
  }

  @Test
  void whatIsSignedWithAnotherSecretIsRefused() {
    assertThat(CallbackVerifier.of(OTHER).clock(at(TIME)).verify(KEY, HEADER, BODY)).isFalse();
  }

  /** A body of the host's own form may contain a number that is a time. */
  @Test
  void oneSignedTextCannotBeSplitInAnotherWay() {
    String signature = new CallbackSigner(SECRET).sign(KEY, TIME, utf8("a." + TIME + ".b"));
    String header = "t=" + TIME + ",v1=" + signature;

    assertThat(verifier.verify(KEY, header, utf8("a." + TIME + ".b"))).isTrue();
    assertThat(verifier.verify(KEY + "." + TIME + ".a", header, utf8("b"))).isFalse();
  }

  @Test
  void anOldOrEarlyCallIsRefused() {
    for (long seconds : new long[] {TIME - 300, TIME + 300}) {
      assertThat(verifier.clock(at(seconds)).verify(KEY, HEADER, BODY)).isTrue();
    }
    for (long seconds : new long[] {TIME - 301, TIME + 301}) {
      assertThat(verifier.clock(at(seconds)).verify(KEY, HEADER, BODY)).isFalse();
    }
    assertThat(
            verifier
                .tolerance(Duration.ofHours(1))
                .clock(at(TIME + 3_600))
                .verify(KEY, HEADER, BODY))
        .isTrue();
  }

  @Test
  void eitherSideMayHaveTwoSecretsWhileOneReplacesTheOther() {
    String both =
        "t=%d,v1=%s,v1=%s"
            .formatted(TIME, new CallbackSigner(OTHER).sign(KEY, TIME, BODY), SIGNATURE);
    assertThat(verifier.verify(KEY, both, BODY)).isTrue();
    assertThat(CallbackVerifier.of(OTHER, SECRET).clock(at(TIME)).verify(KEY, HEADER, BODY))
        .isTrue();
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "t=,v1=",
        "v1=4f917ef2c8ba9ab23772d125257c71ea58c910b29c2b81d052f44700a95f4536",
        "t=1893456000",
        "t=1893456000,v1=",
        "t=x,v1=4f917ef2c8ba9ab23772d125257c71ea58c910b29c2b81d052f44700a95f4536",
        "t=-1,v1=4f917ef2c8ba9ab23772d125257c71ea58c910b29c2b81d052f44700a95f4536",
        "t=99999999999999999999,v1=4f917ef2c8ba9ab23772d125257c71ea58c910b29c2b81d052f44700a95f4536",
        "t=1893456000,v0=4f917ef2c8ba9ab23772d125257c71ea58c910b29c2b81d052f44700a95f4536",
        "t=1893456000;v1=4f917ef2c8ba9ab23772d125257c71ea58c910b29c2b81d052f44700a95f4536",
        ",,,,,,,,,,,,,,,,,,,"
      })
  void aHeaderThatIsNotWellFormedIsRefused(String header) {
    assertThat(verifier.verify(KEY, header, BODY)).isFalse();
  }

  @Test
  void aShortSecretIsRefusedWithoutBeingShown() {
    assertThatThrownBy(() -> CallbackVerifier.of("fifteen bytes!!"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("secret: 15 bytes, want at least 16");
  }

  private static String signed() {
    return "t=" + TIME + ",v1=" + new CallbackSigner(SECRET).sign(KEY, TIME, BODY);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Clock at(long seconds) {
    return Clock.fixed(Instant.ofEpochSecond(seconds), ZoneOffset.UTC);
  }
}
