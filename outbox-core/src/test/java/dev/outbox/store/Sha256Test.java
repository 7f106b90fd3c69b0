package dev.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.email.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Sha256Test {

  @Test
  void itIsTheSha256OfTheUtf8Form() {
    assertThat(Sha256.of("abc").hex())
        .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assertThat(Sha256.of("zo\u00eb")).isEqualTo(Sha256.of(Bytes.utf8("zo\u00eb")));
    assertThat(Sha256.of(Bytes.empty()).hex()).startsWith("e3b0c442");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015a",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad0",
        "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD",
        "quux@example.com1cfea414140de5dae2223b00361a396177a9cb410ff61f20",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015a\n"
      })
  void anyOtherTextIsRefusedAndNotShown(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Sha256(text))
        .withMessage("digest: not 64 lower-case hexadecimal digits");
  }
}
