package dev.outbox.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class CountersTest {

  private static final Counters SOME = new Counters(1, 2, 3, 4);

  @Test
  void eachStepCountsOneThingAlone() {
    assertThat(Counters.NONE).isEqualTo(new Counters(0, 0, 0, 0));
    assertThat(SOME.attempted()).isEqualTo(new Counters(1, 3, 3, 4));
    assertThat(SOME.reaped()).isEqualTo(new Counters(1, 2, 4, 4));
    assertThat(SOME.tried()).isEqualTo(new Counters(1, 2, 3, 5));
  }

  @Test
  void theNextStageStartsWithNoTries() {
    assertThat(SOME.forNextStage()).isEqualTo(new Counters(1, 2, 3, 0));
  }

  @Test
  void aRequeueStartsANewGenerationFromZero() {
    assertThat(SOME.requeued()).isEqualTo(new Counters(2, 0, 0, 0));
  }

  @Test
  void noCounterIsBelowZero() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Counters(-1, 0, 0, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new Counters(0, -1, 0, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new Counters(0, 0, -1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new Counters(0, 0, 0, -1));
  }
}
