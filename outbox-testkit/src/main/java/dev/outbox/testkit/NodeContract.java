package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.NodeId;
import dev.outbox.email.Priority;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRef;
import dev.outbox.store.Completion;
import dev.outbox.store.ManualMove;
import dev.outbox.store.NodeBeat;
import dev.outbox.store.Report;
import dev.outbox.testkit.StateDriver.Driven;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nodes: their counters, and what they hold. */
abstract class NodeContract extends StoreContract {

  private final NodeId one = NodeId.incarnate("one");
  private final NodeId two = NodeId.incarnate("two");

  @Test
  void aCounterStartsAtOneAndMovesByOne() {
    assertThat(store.beat(one)).containsExactly(new NodeBeat(one, 1));
    assertThat(store.beat(one)).containsExactly(new NodeBeat(one, 2));
    assertThat(store.beat(one)).containsExactly(new NodeBeat(one, 3));
  }

  @Test
  void aBeatShowsTheCountersOfAllNodes() {
    store.beat(one);
    store.beat(one);

    assertThat(fixture.another().beat(two))
        .containsExactlyInAnyOrder(new NodeBeat(one, 2), new NodeBeat(two, 1));
    assertThat(store.beat(one))
        .containsExactlyInAnyOrder(new NodeBeat(one, 3), new NodeBeat(two, 1));
  }

  @Test
  void aNodeThatHoldsAClaimAndHasNeverBeatenIsListed() {
    stored(email());
    Worker silent = worker("silent");
    silent.claimOnly(State.ACCEPTED);

    assertThat(store.beat(one))
        .containsExactlyInAnyOrder(new NodeBeat(one, 1), new NodeBeat(silent.node(), 0));
  }

  @Test
  void aNodeThatHoldsAClaimAndBeatsIsListedOnce() {
    storedPlain(2);
    Worker worker = worker("busy");
    worker.claim(State.ACCEPTED);
    store.beat(worker.node());

    assertThat(store.beat(one))
        .containsExactlyInAnyOrder(new NodeBeat(one, 1), new NodeBeat(worker.node(), 1));
  }

  @Test
  void tenBeatsAtOnceAreAllCounted() {
    Race.among(10, index -> (index % 2 == 0 ? store : fixture.another()).beat(one));

    assertThat(store.beat(one)).containsExactly(new NodeBeat(one, 11));
  }

  @Test
  void aRetiredNodeIsForgotten() {
    store.beat(one);
    store.beat(two);

    store.retire(one);

    assertThat(store.beat(two)).containsExactly(new NodeBeat(two, 2));
    store.retire(NodeId.incarnate("unknown"));
  }

  @Test
  void aRetiredNodeThatHoldsAClaimStaysListed() {
    stored(email());
    Worker worker = worker("holder");
    store.beat(worker.node());
    Claim claim = worker.claimOnly(State.ACCEPTED);

    store.retire(worker.node());

    assertThat(store.beat(one))
        .as("nodes, of which one retired while it held an email")
        .extracting(NodeBeat::node)
        .containsExactlyInAnyOrder(one, worker.node());
    worker.applied(Completion.released(claim, Duration.ZERO, Report.NONE));
    store.retire(worker.node());
    assertThat(store.beat(one)).containsExactly(new NodeBeat(one, 2));
  }

  @Test
  void aNodeIsToldWhatItHolds() {
    storedPlain(3);
    Worker worker = worker("one");
    List<Claim> claims = worker.claim(State.ACCEPTED, 2);
    worker("other").claim(State.ACCEPTED);
    store.proceed(List.of(claims.get(0)));

    assertThat(store.held(worker.node(), ALL))
        .as("what the node holds, whether it has heard of it or not")
        .containsExactlyInAnyOrder(
            new ClaimRef(claims.get(0).id(), claims.get(0).token(), State.PROCESSING),
            new ClaimRef(claims.get(1).id(), claims.get(1).token(), State.INTAKING));
    assertThat(store.held(worker.node(), 1)).hasSize(1);
    assertThat(store.held(one, ALL)).as("what a stranger holds").isEmpty();
  }

  @Test
  void whatANodeHoldsIsListedOnceAfterAShorterListToo() {
    store.insert(
        List.of(
            email().priority(Priority.BULK).build(),
            email().priority(Priority.HIGH).build(),
            email().build()));
    Worker worker = worker("one");
    List<Claim> claims = worker.claim(State.ACCEPTED);

    for (int limit = 1; limit <= claims.size(); limit++) {
      assertThat(store.held(worker.node(), limit)).hasSize(limit);
      assertThat(store.held(worker.node(), ALL))
          .as("what the node holds, after a list of %d", limit)
          .extracting(ClaimRef::id)
          .containsExactlyInAnyOrderElementsOf(claims.stream().map(Claim::id).toList());
    }
  }

  @Test
  void whatANodeHasGivenBackOrLostItDoesNotHold() {
    storedPlain(3);
    Worker worker = worker("one");
    List<Claim> claims = worker.claim(State.ACCEPTED);

    worker.applied(Completion.released(claims.get(0), HOUR, Report.NONE));
    worker.applied(Completion.invalid(claims.get(1), Report.of("unreadable")));
    move(ManualMove.CANCEL, claims.get(2).id());

    assertThat(store.held(worker.node(), ALL)).isEmpty();
  }

  @Test
  void aCallbackIsHeldUntilItIsLeftForLater() {
    StateDriver driver = driver();
    Driven driven = driver.to(State.CALLING_FAILED_CALLBACK);
    NodeId node = driver.worker().node();

    assertThat(store.held(node, ALL))
        .containsExactly(
            new ClaimRef(driven.id(), driven.held().token(), State.CALLING_FAILED_CALLBACK));
    driver.callLater(driven.held(), HOUR);
    assertThat(store.held(node, ALL)).isEmpty();
  }
}
