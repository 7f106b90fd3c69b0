package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Address;
import dev.outbox.email.EmailId;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.Recipients;
import dev.outbox.email.State;
import dev.outbox.store.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SmallPartsTest {

  @Test
  void recipientsAreReadBackAsTheyWere() {
    Recipients all =
        new Recipients(
            List.of(Address.parse("\"Lovelace, Ada\" <ada@example.com>")),
            List.of(Address.parse("Grüße <b@example.com>"), Address.parse("c@example.com")),
            List.of(Address.parse("d@example.com")));

    assertThat(Lines.recipients(Lines.of(all))).isEqualTo(all);
  }

  @Test
  void repliesOfSeveralLinesStayInTheirLine() {
    List<RecipientResult> results =
        List.of(
            new RecipientResult("a@example.com", RecipientResult.Status.ACCEPTED, null),
            new RecipientResult("b@example.com", RecipientResult.Status.REFUSED, ""),
            new RecipientResult(
                "c@example.com", RecipientResult.Status.OPEN, "450-4.2.1 busy\r\n450 C:\\n later"));

    assertThat(Lines.results(Lines.ofResults(results))).isEqualTo(results);
    assertThat(Lines.results(Lines.ofResults(List.of()))).isEmpty();
  }

  @Test
  void tagsAreReadBack() {
    assertThat(Lines.tags(Lines.ofTags(Set.of("orders", "a b")))).containsOnly("orders", "a b");
    assertThat(Lines.tags(Lines.ofTags(Set.of()))).isEmpty();
  }

  @Test
  void listsOfIdsAreSortedAndComeInFewSizes() {
    for (int size : List.of(1, 2, 3, 4, 5, 100, 500)) {
      List<EmailId> ids = Stream.generate(EmailId::next).limit(size).toList();
      List<EmailId> reversed =
          IntStream.range(0, size).mapToObj(i -> ids.get(size - 1 - i)).toList();

      List<EmailId> listed = Ids.list(reversed).stream().map(Ids::id).toList();

      assertThat(listed.subList(0, size)).isEqualTo(ids);
      assertThat(listed.subList(size, listed.size())).allMatch(ids.get(size - 1)::equals);
      assertThat(Integer.bitCount(listed.size())).isEqualTo(1);
    }
  }

  @Test
  void waitsGrowFromThirtyMillisecondsToASecond() {
    assertThat(Backoff.longest(1)).isEqualTo(Duration.ofMillis(30));
    assertThat(Backoff.longest(2)).isEqualTo(Duration.ofMillis(60));
    assertThat(Backoff.longest(6)).isEqualTo(Duration.ofMillis(960));
    assertThat(Backoff.longest(7)).isEqualTo(Duration.ofSeconds(1));
    assertThat(Backoff.longest(100)).isEqualTo(Duration.ofSeconds(1));
    assertThat(Backoff.pause(Backoff.TRIES)).isFalse();
  }

  @Test
  void aThreadThatIsToStopDoesNotWait() {
    Thread.currentThread().interrupt();

    assertThat(Backoff.pause(1)).isFalse();
    assertThat(Thread.interrupted()).as("still told to stop").isTrue();
  }

  @Test
  void claimsOfYoungEmailsBeginALittleBeforeTheLastOneAndLookBackTwiceASecond() {
    long[] now = {0};
    LowWater lowWater = new LowWater(() -> now[0]);
    Instant due = Instant.parse("2030-01-01T00:00:00Z");
    assertThat(lowWater.since(State.ACCEPTED, Lane.NORMAL)).isEqualTo(Instant.EPOCH);

    lowWater.reached(State.ACCEPTED, Lane.NORMAL, Instant.EPOCH, reached(due, Duration.ZERO));
    now[0] += Duration.ofMillis(400).toNanos();
    assertThat(lowWater.since(State.ACCEPTED, Lane.NORMAL)).isEqualTo(due.minus(LowWater.OVERLAP));
    assertThat(lowWater.since(State.READY, Lane.NORMAL)).isEqualTo(Instant.EPOCH);

    lowWater.reached(
        State.ACCEPTED, Lane.NORMAL, due, reached(due.plusSeconds(1), Duration.ofMillis(10)));
    now[0] += Duration.ofMillis(100).toNanos();
    assertThat(lowWater.since(State.ACCEPTED, Lane.NORMAL)).isEqualTo(Instant.EPOCH);
  }

  @Test
  void claimsOfABacklogBeginAtTheLastOne() {
    LowWater lowWater = new LowWater(() -> 0);
    Instant due = Instant.parse("2030-01-01T00:00:00Z");

    lowWater.reached(State.ACCEPTED, Lane.NORMAL, Instant.EPOCH, reached(due, LowWater.YOUTH));
    assertThat(lowWater.since(State.ACCEPTED, Lane.NORMAL)).isEqualTo(due);

    lowWater.reached(
        State.ACCEPTED, Lane.NORMAL, due, reached(due, LowWater.YOUTH.minusMillis(50)));
    assertThat(lowWater.since(State.ACCEPTED, Lane.NORMAL)).isEqualTo(due.minusMillis(50));
  }

  @Test
  void aClaimThatFoundNothingKeepsItsPlace() {
    LowWater lowWater = new LowWater(() -> 0);
    Instant due = Instant.parse("2030-01-01T00:00:00Z");
    lowWater.reached(State.ACCEPTED, Lane.NORMAL, Instant.EPOCH, reached(due, Duration.ZERO));
    lowWater.reached(State.ACCEPTED, Lane.NORMAL, due, null);

    assertThat(lowWater.since(State.ACCEPTED, Lane.NORMAL)).isEqualTo(due.minus(LowWater.OVERLAP));
  }

  private static LowWater.Reached reached(Instant due, Duration age) {
    return new LowWater.Reached(due, due.plus(age));
  }
}
