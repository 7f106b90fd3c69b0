package dev.outbox.testkit;

import static dev.outbox.testkit.SampleEmail.email;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.NodeId;
import dev.outbox.email.Priority;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRef;
import dev.outbox.store.Completion;
import dev.outbox.store.NodeHeartbeat;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.testkit.EmailStateFixture.Driven;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nodes: their counters, and what they hold. */
abstract class NodeContract extends StoreContract {

  private final NodeId one = NodeId.incarnate("one");
  private final NodeId two = NodeId.incarnate("two");

  @Test
  void aCounterStartsAtOneAndMovesByOne() {
    assertThat(store.heartbeat(one)).containsExactly(new NodeHeartbeat(one, 1));
    assertThat(store.heartbeat(one)).containsExactly(new NodeHeartbeat(one, 2));
    assertThat(store.heartbeat(one)).containsExactly(new NodeHeartbeat(one, 3));
  }

  @Test
  void aBeatShowsTheCountersOfAllNodes() {
    store.heartbeat(one);
    store.heartbeat(one);

    assertThat(fixture.another().heartbeat(two))
        .containsExactlyInAnyOrder(new NodeHeartbeat(one, 2), new NodeHeartbeat(two, 1));
    assertThat(store.heartbeat(one))
        .containsExactlyInAnyOrder(new NodeHeartbeat(one, 3), new NodeHeartbeat(two, 1));
  }

  @Test
  void aNodeThatHoldsAClaimAndHasNeverBeatenIsListed() {
    stored(email());
    TestNode silent = worker("silent");
    silent.claimOnly(State.ACCEPTED);

    assertThat(store.heartbeat(one))
        .containsExactlyInAnyOrder(new NodeHeartbeat(one, 1), new NodeHeartbeat(silent.node(), 0));
  }

  @Test
  void aNodeThatHoldsAClaimAndBeatsIsListedOnce() {
    storedPlain(2);
    TestNode worker = worker("busy");
    worker.claim(State.ACCEPTED);
    store.heartbeat(worker.node());

    assertThat(store.heartbeat(one))
        .containsExactlyInAnyOrder(new NodeHeartbeat(one, 1), new NodeHeartbeat(worker.node(), 1));
  }

  @Test
  void tenBeatsAtOnceAreAllCounted() {
    Race.among(10, index -> (index % 2 == 0 ? store : fixture.another()).heartbeat(one));

    assertThat(store.heartbeat(one)).containsExactly(new NodeHeartbeat(one, 11));
  }

  @Test
  void aRetiredNodeIsForgotten() {
    store.heartbeat(one);
    store.heartbeat(two);

    store.deregister(one);

    assertThat(store.heartbeat(two)).containsExactly(new NodeHeartbeat(two, 2));
    store.deregister(NodeId.incarnate("unknown"));
  }

  @Test
  void aRetiredNodeThatHoldsAClaimStaysListed() {
    stored(email());
    TestNode worker = worker("holder");
    store.heartbeat(worker.node());
    Claim claim = worker.claimOnly(State.ACCEPTED);

    store.deregister(worker.node());

    assertThat(store.heartbeat(one))
        .as("nodes, of which one retired while it held an email")
        .extracting(NodeHeartbeat::node)
        .containsExactlyInAnyOrder(one, worker.node());
    worker.applied(Completion.released(claim, Duration.ZERO, OutcomeDetails.NONE));
    store.deregister(worker.node());
    assertThat(store.heartbeat(one)).containsExactly(new NodeHeartbeat(one, 2));
  }

  @Test
  void aNodeIsToldWhatItHolds() {
    storedPlain(3);
    TestNode worker = worker("one");
    List<Claim> claims = worker.claim(State.ACCEPTED, 2);
    worker("other").claim(State.ACCEPTED);
    store.beginDelivery(List.of(claims.get(0)));

    assertThat(store.claimsOf(worker.node(), ALL))
        .as("what the node holds, whether it has heard of it or not")
        .containsExactlyInAnyOrder(
            new ClaimRef(claims.get(0).id(), claims.get(0).token(), State.PROCESSING),
            new ClaimRef(claims.get(1).id(), claims.get(1).token(), State.INTAKING));
    assertThat(store.claimsOf(worker.node(), 1)).hasSize(1);
    assertThat(store.claimsOf(one, ALL)).as("what a stranger holds").isEmpty();
  }

  @Test
  void whatANodeHoldsIsListedOnceAfterAShorterListToo() {
    store.insert(
        List.of(
            email().priority(Priority.BULK).build(),
            email().priority(Priority.HIGH).build(),
            email().build()));
    TestNode worker = worker("one");
    List<Claim> claims = worker.claim(State.ACCEPTED);

    for (int limit = 1; limit <= claims.size(); limit++) {
      assertThat(store.claimsOf(worker.node(), limit)).hasSize(limit);
      assertThat(store.claimsOf(worker.node(), ALL))
          .as("what the node holds, after a list of %d", limit)
          .extracting(ClaimRef::id)
          .containsExactlyInAnyOrderElementsOf(claims.stream().map(Claim::id).toList());
    }
  }

  @Test
  void whatANodeHasGivenBackOrLostItDoesNotHold() {
    storedPlain(3);
    TestNode worker = worker("one");
    List<Claim> claims = worker.claim(State.ACCEPTED);

    worker.applied(Completion.released(claims.get(0), HOUR, OutcomeDetails.NONE));
    worker.applied(Completion.invalid(claims.get(1), OutcomeDetails.of("unreadable")));
    move(OperatorAction.CANCEL, claims.get(2).id());

    assertThat(store.claimsOf(worker.node(), ALL)).isEmpty();
  }

  @Test
  void aCallbackIsHeldUntilItIsLeftForLater() {
    EmailStateFixture driver = driver();
    Driven driven = driver.to(State.CALLING_FAILED_CALLBACK);
    NodeId node = driver.worker().node();

    assertThat(store.claimsOf(node, ALL))
        .containsExactly(
            new ClaimRef(driven.id(), driven.held().token(), State.CALLING_FAILED_CALLBACK));
    driver.callLater(driven.held(), HOUR);
    assertThat(store.claimsOf(node, ALL)).isEmpty();
  }
}
