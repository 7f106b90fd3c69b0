package dev.outbox.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Address;
import dev.outbox.email.EmailId;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.Recipients;
import dev.outbox.email.State;
import dev.outbox.mysql.ClaimWatermarks.Start;
import dev.outbox.store.PriorityLane;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SmallPartsTest {

  private static final Instant DUE = Instant.parse("2030-01-01T00:00:00Z");
  private static final EmailId LAST = EmailId.next();

  @Test
  void recipientsAreReadBackAsTheyWere() {
    Recipients all =
        new Recipients(
            List.of(Address.parse("\"Lovelace, Ada\" <ada@example.com>")),
            List.of(Address.parse("Grüße <b@example.com>"), Address.parse("c@example.com")),
            List.of(Address.parse("d@example.com")));

    assertThat(TextListFormat.recipients(TextListFormat.of(all))).isEqualTo(all);
  }

  @Test
  void repliesOfSeveralLinesStayInTheirLine() {
    List<RecipientResult> results =
        List.of(
            new RecipientResult("a@example.com", RecipientResult.Status.ACCEPTED, null),
            new RecipientResult("b@example.com", RecipientResult.Status.REFUSED, ""),
            new RecipientResult(
                "c@example.com",
                RecipientResult.Status.PENDING,
                "450-4.2.1 busy\r\n450 C:\\n later"));

    assertThat(TextListFormat.results(TextListFormat.ofResults(results))).isEqualTo(results);
    assertThat(TextListFormat.results(TextListFormat.ofResults(List.of()))).isEmpty();
  }

  @Test
  void tagsAreReadBack() {
    assertThat(TextListFormat.tags(TextListFormat.ofTags(Set.of("orders", "a b"))))
        .containsOnly("orders", "a b");
    assertThat(TextListFormat.tags(TextListFormat.ofTags(Set.of()))).isEmpty();
  }

  @Test
  void listsOfIdsAreSortedAndComeInFewSizes() {
    for (int size : List.of(1, 2, 3, 4, 5, 100, 500)) {
      List<EmailId> ids = Stream.generate(EmailId::next).limit(size).toList();
      List<EmailId> reversed =
          IntStream.range(0, size).mapToObj(i -> ids.get(size - 1 - i)).toList();

      List<EmailId> listed = BinaryIds.list(reversed).stream().map(BinaryIds::id).toList();

      assertThat(listed.subList(0, size)).isEqualTo(ids);
      assertThat(listed.subList(size, listed.size())).allMatch(ids.get(size - 1)::equals);
      assertThat(Integer.bitCount(listed.size())).isEqualTo(1);
    }
  }

  @Test
  void waitsGrowFromThirtyMillisecondsToASecond() {
    assertThat(StoreRetry.longest(1)).isEqualTo(Duration.ofMillis(30));
    assertThat(StoreRetry.longest(2)).isEqualTo(Duration.ofMillis(60));
    assertThat(StoreRetry.longest(6)).isEqualTo(Duration.ofMillis(960));
    assertThat(StoreRetry.longest(7)).isEqualTo(Duration.ofSeconds(1));
    assertThat(StoreRetry.longest(100)).isEqualTo(Duration.ofSeconds(1));
    assertThat(StoreRetry.pause(StoreRetry.TRIES)).isFalse();
  }

  @Test
  void aThreadThatIsToStopDoesNotWait() {
    Thread.currentThread().interrupt();

    assertThat(StoreRetry.pause(1)).isFalse();
    assertThat(Thread.interrupted()).as("still told to stop").isTrue();
  }

  @Test
  void claimsOfYoungEmailsBeginALittleBeforeTheLastOneAndLookBackTwiceASecond() {
    long[] now = {0};
    ClaimWatermarks watermarks = new ClaimWatermarks(() -> now[0]);
    assertThat(watermarks.start(State.ACCEPTED, PriorityLane.NORMAL)).isEqualTo(Start.BEGINNING);

    reach(watermarks, Start.BEGINNING, reached(DUE, Duration.ZERO));
    now[0] += Duration.ofMillis(400).toNanos();
    assertThat(watermarks.start(State.ACCEPTED, PriorityLane.NORMAL))
        .isEqualTo(new Start(DUE.minus(ClaimWatermarks.OVERLAP), null));
    assertThat(watermarks.start(State.READY, PriorityLane.NORMAL)).isEqualTo(Start.BEGINNING);

    reach(watermarks, new Start(DUE, null), reached(DUE.plusSeconds(1), Duration.ofMillis(10)));
    now[0] += Duration.ofMillis(100).toNanos();
    assertThat(watermarks.start(State.ACCEPTED, PriorityLane.NORMAL)).isEqualTo(Start.BEGINNING);
  }

  @Test
  void claimsOfABacklogBeginAtTheLastOne() {
    ClaimWatermarks watermarks = new ClaimWatermarks(() -> 0);

    reach(watermarks, Start.BEGINNING, reached(DUE, ClaimWatermarks.YOUTH));
    assertThat(watermarks.start(State.ACCEPTED, PriorityLane.NORMAL))
        .isEqualTo(new Start(DUE, LAST));

    reach(watermarks, new Start(DUE, LAST), reached(DUE, ClaimWatermarks.YOUTH.minusMillis(50)));
    assertThat(watermarks.start(State.ACCEPTED, PriorityLane.NORMAL))
        .isEqualTo(new Start(DUE.minusMillis(50), null));
  }

  @Test
  void claimsBeginAtTheLastOneWhileThereIsMore() {
    ClaimWatermarks watermarks = new ClaimWatermarks(() -> 0);

    reach(watermarks, Start.BEGINNING, new ClaimWatermarks.Reached(DUE, LAST, DUE, true));

    assertThat(watermarks.start(State.ACCEPTED, PriorityLane.NORMAL))
        .isEqualTo(new Start(DUE, LAST));
  }

  @Test
  void aBacklogIsOneWhileClaimsGetAllTheyWant() {
    ClaimWatermarks watermarks = new ClaimWatermarks(() -> 0);
    assertThat(watermarks.isBacklog(State.ACCEPTED, PriorityLane.NORMAL))
        .as("not known yet")
        .isFalse();

    reach(watermarks, Start.BEGINNING, new ClaimWatermarks.Reached(DUE, LAST, DUE, true));
    assertThat(watermarks.isBacklog(State.ACCEPTED, PriorityLane.NORMAL)).isTrue();
    assertThat(watermarks.isBacklog(State.ACCEPTED, PriorityLane.HIGH)).isFalse();

    reach(watermarks, new Start(DUE, LAST), null);
    assertThat(watermarks.isBacklog(State.ACCEPTED, PriorityLane.NORMAL))
        .as("at its end")
        .isFalse();
  }

  @Test
  void aClaimThatFoundNothingKeepsItsPlace() {
    ClaimWatermarks watermarks = new ClaimWatermarks(() -> 0);
    reach(watermarks, Start.BEGINNING, reached(DUE, Duration.ZERO));
    reach(watermarks, new Start(DUE, null), null);

    assertThat(watermarks.start(State.ACCEPTED, PriorityLane.NORMAL))
        .isEqualTo(new Start(DUE.minus(ClaimWatermarks.OVERLAP), null));
  }

  private static void reach(
      ClaimWatermarks watermarks, Start start, ClaimWatermarks.@Nullable Reached reached) {
    watermarks.reached(State.ACCEPTED, PriorityLane.NORMAL, start, reached);
  }

  private static ClaimWatermarks.Reached reached(Instant due, Duration age) {
    return new ClaimWatermarks.Reached(due, LAST, due.plus(age), false);
  }
}
