package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.Priority;
import dev.outbox.email.State;
import dev.outbox.settings.UnknownOutcomePolicy;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.PriorityLane;
import dev.outbox.store.ReapPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * How many emails a claim gives: shares of lanes, the longest due first, and no more bytes than
 * wanted. While nobody else is at work, a claim gives all that it may.
 */
abstract class LaneContract extends StoreContract {

  private static final Map<PriorityLane, Integer> TWO_EACH =
      Map.of(PriorityLane.HIGH, 2, PriorityLane.NORMAL, 2, PriorityLane.BULK, 2);

  @Test
  void eachLaneGivesItsShare() {
    stored(5, 5, 5);

    assertThat(claimed(Map.of(PriorityLane.HIGH, 3, PriorityLane.NORMAL, 2, PriorityLane.BULK, 1)))
        .isEqualTo(Map.of(Priority.HIGH, 3, Priority.NORMAL, 2, Priority.BULK, 1));
  }

  @Test
  void anUnusedShareGoesToTheFirstLaneThatCanUseIt() {
    stored(1, 5, 5);

    assertThat(claimed(TWO_EACH))
        .as("of 1 high, 5 normal and 5 bulk emails, wanting two each")
        .isEqualTo(Map.of(Priority.HIGH, 1, Priority.NORMAL, 3, Priority.BULK, 2));
  }

  @Test
  void anUnusedShareOfALowerLaneGoesUpFirst() {
    stored(5, 0, 5);

    assertThat(claimed(TWO_EACH))
        .as("of 5 high, no normal and 5 bulk emails, wanting two each")
        .isEqualTo(Map.of(Priority.HIGH, 4, Priority.BULK, 2));
  }

  @Test
  void anUnusedShareIsDividedWhenOneLaneCannotUseItAll() {
    stored(3, 0, 5);

    assertThat(claimed(TWO_EACH))
        .as("of 3 high, no normal and 5 bulk emails, wanting two each")
        .isEqualTo(Map.of(Priority.HIGH, 3, Priority.BULK, 3));
  }

  @Test
  void anUnusedShareGoesUpFirstAlsoIfALowerLaneWasEmptyBefore() {
    stored(0, 7, 0);
    assertThat(claimed(TWO_EACH)).isEqualTo(Map.of(Priority.NORMAL, 6));
    stored(0, 4, 4);

    assertThat(claimed(TWO_EACH))
        .as("of no high, 5 normal and 4 bulk emails, wanting two each")
        .isEqualTo(Map.of(Priority.NORMAL, 4, Priority.BULK, 2));
  }

  @Test
  void aLaneNamedWithNoShareTakesOnlyWhatOthersLeave() {
    stored(5, 1, 0);

    assertThat(claimed(Map.of(PriorityLane.HIGH, 0, PriorityLane.NORMAL, 3)))
        .isEqualTo(Map.of(Priority.HIGH, 2, Priority.NORMAL, 1));
  }

  @Test
  void lanesNotNamedAreLeftAlone() {
    stored(5, 1, 5);

    assertThat(claimed(Map.of(PriorityLane.NORMAL, 10))).isEqualTo(Map.of(Priority.NORMAL, 1));
  }

  @Test
  void anEmailThatMayHaveKilledItsWorkersIsGivenOnlyFromItsOwnLane() {
    EmailId id = stored(email().priority(Priority.HIGH));
    TestNode dead = worker("dead");
    dead.claimOnly(State.ACCEPTED);
    dead.die(new ReapPolicy(1, 5, UnknownOutcomePolicy.RESEND));
    TestNode worker = worker("one");

    assertThat(
            worker.claim(
                State.ACCEPTED,
                Map.of(PriorityLane.HIGH, 5, PriorityLane.NORMAL, 5, PriorityLane.BULK, 5)))
        .as("a suspect, asked for by its priority's lane")
        .isEmpty();
    assertThat(worker.claim(State.ACCEPTED, Map.of(PriorityLane.SUSPECT, 1)))
        .extracting(Claim::id)
        .containsExactly(id);
  }

  @Test
  void theLongestDueComesFirstInEachLane() {
    // Stored in another order than they are due, so that no order of ids helps.
    List<Integer> minutesAgo = List.of(20, 50, 10, 60, 30, 40);
    Map<Integer, EmailId> byAge = new TreeMap<>(Collections.reverseOrder());
    for (int minutes : minutesAgo) {
      byAge.put(minutes, stored(email().sendAt(now().minus(Duration.ofMinutes(minutes)))));
    }
    List<EmailId> expected = new ArrayList<>(byAge.values());
    TestNode worker = worker("one");

    List<EmailId> given = new ArrayList<>();
    given.addAll(ids(worker.claim(State.ACCEPTED, Map.of(PriorityLane.NORMAL, 1))));
    given.addAll(ids(worker.claim(State.ACCEPTED, Map.of(PriorityLane.NORMAL, 3))));
    given.addAll(ids(worker.claim(State.ACCEPTED, Map.of(PriorityLane.NORMAL, 1))));
    given.addAll(ids(worker.claim(State.ACCEPTED, Map.of(PriorityLane.NORMAL, 5))));

    assertThat(given).as("emails in the order in which they were given").isEqualTo(expected);
  }

  @Test
  void aReleasedEmailTakesItsPlaceByItsNewDueTime() {
    TestNode worker = worker("one");
    EmailId first = stored(email());
    Claim claim = worker.claimOnly(State.ACCEPTED);
    advance(Duration.ofMinutes(1));
    EmailId second = stored(email());
    worker.applied(Completion.released(claim, Duration.ofMinutes(1), OutcomeDetails.NONE));
    advance(Duration.ofMinutes(2));

    assertThat(ids(worker.claim(State.ACCEPTED, Map.of(PriorityLane.NORMAL, 1))))
        .containsExactly(second);
    assertThat(ids(worker.claim(State.ACCEPTED, Map.of(PriorityLane.NORMAL, 1))))
        .containsExactly(first);
  }

  @Test
  void aClaimGivesNoMoreBytesThanWanted() {
    store.insert(
        List.of(
            email().payload(Bytes.owned(new byte[1_000])).build(),
            email().payload(Bytes.owned(new byte[1_000])).build(),
            email().payload(Bytes.owned(new byte[1_000])).build()));
    TestNode worker = worker("one");

    List<Claim> claims = worker.claim(State.ACCEPTED, Map.of(PriorityLane.NORMAL, 10), 2_500);

    assertThat(claims).as("emails of 1000 bytes in 2500").hasSize(2);
    assertThat(store.claimsOf(worker.node(), ALL)).as("what the node holds").hasSize(2);
    assertThat(worker.claim(State.ACCEPTED)).as("what was left for the next claim").hasSize(1);
  }

  @Test
  void oneEmailIsAlwaysGivenHoweverLarge() {
    storedPlain(2);
    TestNode worker = worker("one");

    assertThat(worker.claim(State.ACCEPTED, Map.of(PriorityLane.NORMAL, 10), 1)).hasSize(1);
    assertThat(worker.claim(State.ACCEPTED, Map.of(PriorityLane.NORMAL, 10), 1)).hasSize(1);
  }

  @Test
  void bytesAreCountedOverAllLanesAndWithComposedContent() {
    TestNode worker = worker("one");
    for (Priority priority : Priority.values()) {
      stored(email().priority(priority).payload(Bytes.owned(new byte[1_000])));
      worker.applied(
          Completion.postponed(
              worker.claimOnly(State.ACCEPTED),
              Duration.ZERO,
              OutcomeDetails.NONE,
              Bytes.owned(new byte[1_000])));
    }

    List<Claim> claims = worker.claim(State.READY, TWO_EACH, 4_500);

    assertThat(claims).as("emails of 2000 bytes in 4500, one in each of three lanes").hasSize(2);
    assertThat(worker.claim(State.READY)).as("what was left for the next claim").hasSize(1);
  }

  private void stored(int high, int normal, int bulk) {
    List<Priority> priorities = new ArrayList<>();
    priorities.addAll(Collections.nCopies(bulk, Priority.BULK));
    priorities.addAll(Collections.nCopies(high, Priority.HIGH));
    priorities.addAll(Collections.nCopies(normal, Priority.NORMAL));
    store.insert(priorities.stream().map(priority -> email().priority(priority).build()).toList());
  }

  private Map<Priority, Integer> claimed(Map<PriorityLane, Integer> shares) {
    return worker("one").claim(State.ACCEPTED, shares).stream()
        .map(Claim::email)
        .collect(Collectors.toMap(EmailSummary::priority, email -> 1, Integer::sum));
  }

  private static List<EmailId> ids(List<Claim> claims) {
    return claims.stream().map(Claim::id).toList();
  }
}
