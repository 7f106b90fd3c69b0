package dev.outbox.email;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FailureCodeTest {

  @Test
  void theCodesAreThoseOfTheDesign() {
    assertThat(Stream.of(FailureCode.values()).map(Enum::name))
        .containsExactly(
            "REFUSED", "ATTEMPTS", "EXPIRED", "CANCELLED", "OUTCOME_UNKNOWN", "WORKER_DIED");
  }

  @Test
  void cancelledExpiredAndUnknownMailIsRequeuedOnlyWhenNamed() {
    assertThat(Stream.of(FailureCode.values()).filter(code -> !code.isRequeuedUnnamed()))
        .containsExactly(FailureCode.EXPIRED, FailureCode.CANCELLED, FailureCode.OUTCOME_UNKNOWN);
  }
}
