package dev.outbox.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Eight threads, of which one receiver gets six at most. */
class ReceiverBulkheadTest {

  private static final long MILLI = Duration.ofMillis(1).toNanos();

  private static final WorkerPool POOL = new WorkerPool(1, Thread::new);

  private long now = Long.MAX_VALUE - 1_000 * MILLI;
  private final List<Call> running = new ArrayList<>();
  private final RunningTasks tasks = new RunningTasks(() -> now);
  private final ReceiverBulkhead bulkhead =
      new ReceiverBulkhead(8, task -> running.add((Call) task), () -> now);

  @Test
  void oneReceiverNeverHasAllThreads() {
    take("slow", 20);

    assertThat(running).hasSize(6);
    take("fast", 1);
    assertThat(running).hasSize(7).last().extracting(call -> call.receiver).isEqualTo("fast");
  }

  @Test
  void theNextThreadGoesToTheReceiverWithTheFewestCallsUnderWay() {
    take("a", 10);
    take("b", 10);
    assertThat(count("a")).isEqualTo(6);
    assertThat(count("b")).isEqualTo(2);

    end("a");

    assertThat(count("a")).isEqualTo(5);
    assertThat(count("b")).isEqualTo(3);
  }

  @Test
  void whatWouldWaitForLongGoesBackUntilItsTurn() {
    take("slow", 6);
    now += 600 * MILLI;
    for (int i = 0; i < 6; i++) {
      end("slow");
    }
    // 600 ms a call on six threads is one call each 100 ms.
    take("slow", 6);
    assertThat(take("slow", 3)).containsOnly(Optional.empty());

    List<Optional<Duration>> turns = take("slow", 3);

    assertThat(turns)
        .containsExactly(
            Optional.of(Duration.ofMillis(400)),
            Optional.of(Duration.ofMillis(500)),
            Optional.of(Duration.ofMillis(600)));
    assertThat(running).hasSize(6);
  }

  @Test
  void aReceiverThatHangsIsSlowBeforeItsFirstCallHasEnded() {
    take("hanging", 7);
    assertThat(take("hanging", 1)).containsExactly(Optional.empty());
    now += 6_000 * MILLI;

    assertThat(take("hanging", 1)).doesNotContain(Optional.empty());
    assertThat(take("fast", 1)).containsExactly(Optional.empty());
  }

  @Test
  void nothingGoesBackForLongerThanFiveMinutes() {
    take("dead", 7);
    now += Duration.ofHours(1).toNanos();

    assertThat(take("dead", 1)).containsExactly(Optional.of(Duration.ofMinutes(5)));
  }

  @Test
  void aFastReceiverMayHaveALongQueue() {
    take("fast", 6);
    now += MILLI;
    for (int i = 0; i < 6; i++) {
      end("fast");
    }

    assertThat(take("fast", 1_000)).containsOnly(Optional.empty());
  }

  @Test
  void aStuckThreadIsMadeUpFor() {
    take("a", 6);
    take("b", 6);
    assertThat(running).hasSize(8);

    Call stuck = running.get(0);

    bulkhead.replace(stuck.receiver, stuck);

    assertThat(running).hasSize(9);
  }

  @Test
  void aStuckThreadThatComesBackIsNotCountedTwice() {
    take("a", 6);
    take("b", 8);
    Call stuck = running.get(0);
    bulkhead.replace(stuck.receiver, stuck);
    assertThat(running).hasSize(9);

    end("a");

    assertThat(running).as("the thread that came back takes the place of the added one").hasSize(8);
  }

  @Test
  void aCallThatHasEndedIsNotReplaced() {
    take("a", 6);
    take("b", 6);
    Call ended = running.get(0);
    end("a");

    bulkhead.replace(ended.receiver, ended);

    assertThat(running).hasSize(8);
  }

  @Test
  void whatHasNotBeenStartedCanBeTakenBack() {
    take("a", 10);

    assertThat(bulkhead.clear()).hasSize(4);
    assertThat(bulkhead.clear()).isEmpty();
    end("a");
    assertThat(running).hasSize(5);
  }

  private List<Optional<Duration>> take(String receiver, int calls) {
    List<Optional<Duration>> results = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      results.add(bulkhead.take(receiver, new Call(receiver)));
    }
    return results;
  }

  private void end(String receiver) {
    Call first =
        running.stream().filter(call -> call.receiver.equals(receiver)).findFirst().orElseThrow();
    running.remove(first);
    bulkhead.ended(receiver, first);
  }

  private long count(String receiver) {
    return running.stream().filter(call -> call.receiver.equals(receiver)).count();
  }

  /** A call that is only counted. */
  private final class Call extends StageTask {
    private final String receiver;

    Call(String receiver) {
      super(tasks, POOL);
      this.receiver = receiver;
    }

    @Override
    void work() {}

    @Override
    void release(String reason) {}

    @Override
    void timeOut() {}
  }
}
