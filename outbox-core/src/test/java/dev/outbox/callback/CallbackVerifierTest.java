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

  /** Made by another program: HMAC-SHA256 with SECRET over {@code 1893456000.{"id":"42"}}. */
  private static final String SIGNATURE =
      "d7dcb4ffbf5f819fc03076bb5c32b2ba0ba8322bd69b88d65593a3dea0186516";

  private static final String HEADER = "t=" + TIME + ",v1=" + SIGNATURE;

  private final CallbackVerifier verifier = CallbackVerifier.of(SECRET).clock(at(TIME));

  @Test
  void whatAnotherProgramSignedIsAccepted() {
    assertThat(new Signing(SECRET).sign(TIME, BODY)).isEqualTo(SIGNATURE);
    assertThat(verifier.verify(HEADER, BODY)).isTrue();
  }

  @Test
  void aChangedBodyTimeOrSecretIsRefused() {
    assertThat(verifier.verify(HEADER, "{\"id\":\"43\"}".getBytes(StandardCharsets.UTF_8)))
        .isFalse();
    assertThat(verifier.verify("t=" + (TIME + 1) + ",v1=" + SIGNATURE, BODY)).isFalse();
    assertThat(CallbackVerifier.of(OTHER).clock(at(TIME)).verify(HEADER, BODY)).isFalse();
  }

  @Test
  void anOldOrEarlyCallIsRefused() {
    for (long seconds : new long[] {TIME - 300, TIME + 300}) {
      assertThat(verifier.clock(at(seconds)).verify(HEADER, BODY)).isTrue();
    }
    for (long seconds : new long[] {TIME - 301, TIME + 301}) {
      assertThat(verifier.clock(at(seconds)).verify(HEADER, BODY)).isFalse();
    }
    assertThat(verifier.tolerance(Duration.ofHours(1)).clock(at(TIME + 3_600)).verify(HEADER, BODY))
        .isTrue();
  }

  @Test
  void eitherSideMayHaveTwoSecretsWhileOneReplacesTheOther() {
    String both =
        "t=%d,v1=%s,v1=%s".formatted(TIME, new Signing(OTHER).sign(TIME, BODY), SIGNATURE);
    assertThat(verifier.verify(both, BODY)).isTrue();
    assertThat(CallbackVerifier.of(OTHER, SECRET).clock(at(TIME)).verify(HEADER, BODY)).isTrue();
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "t=,v1=",
        "v1=d7dcb4ffbf5f819fc03076bb5c32b2ba0ba8322bd69b88d65593a3dea0186516",
        "t=1893456000",
        "t=1893456000,v1=",
        "t=x,v1=d7dcb4ffbf5f819fc03076bb5c32b2ba0ba8322bd69b88d65593a3dea0186516",
        "t=-1,v1=d7dcb4ffbf5f819fc03076bb5c32b2ba0ba8322bd69b88d65593a3dea0186516",
        "t=99999999999999999999,v1=d7dcb4ffbf5f819fc03076bb5c32b2ba0ba8322bd69b88d65593a3dea0186516",
        "t=1893456000,v0=d7dcb4ffbf5f819fc03076bb5c32b2ba0ba8322bd69b88d65593a3dea0186516",
        "t=1893456000;v1=d7dcb4ffbf5f819fc03076bb5c32b2ba0ba8322bd69b88d65593a3dea0186516",
        ",,,,,,,,,,,,,,,,,,,"
      })
  void aHeaderThatIsNotWellFormedIsRefused(String header) {
    assertThat(verifier.verify(header, BODY)).isFalse();
  }

  @Test
  void aShortSecretIsRefusedWithoutBeingShown() {
    assertThatThrownBy(() -> CallbackVerifier.of("fifteen bytes!!"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("secret: 15 bytes, want at least 16");
  }

  private static Clock at(long seconds) {
    return Clock.fixed(Instant.ofEpochSecond(seconds), ZoneOffset.UTC);
  }
}
