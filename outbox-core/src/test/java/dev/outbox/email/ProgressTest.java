package dev.outbox.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class ProgressTest {

  private static final Progress SOME = new Progress(1, 2, 3, 4);

  @Test
  void eachStepCountsOneThingAlone() {
    assertThat(Progress.NONE).isEqualTo(new Progress(0, 0, 0, 0));
    assertThat(SOME.attempted()).isEqualTo(new Progress(1, 3, 3, 4));
    assertThat(SOME.reaped()).isEqualTo(new Progress(1, 2, 4, 4));
    assertThat(SOME.tried()).isEqualTo(new Progress(1, 2, 3, 5));
  }

  @Test
  void theNextStageStartsWithNoTries() {
    assertThat(SOME.staged()).isEqualTo(new Progress(1, 2, 3, 0));
  }

  @Test
  void aRequeueStartsANewGenerationFromZero() {
    assertThat(SOME.requeued()).isEqualTo(new Progress(2, 0, 0, 0));
  }

  @Test
  void noCounterIsBelowZero() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Progress(-1, 0, 0, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new Progress(0, -1, 0, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new Progress(0, 0, -1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new Progress(0, 0, 0, -1));
  }
}
