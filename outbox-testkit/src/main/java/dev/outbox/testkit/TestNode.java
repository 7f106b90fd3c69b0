package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.PriorityLane;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.ReapedEmail;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A node that works by hand: it claims, goes on and completes exactly when a test says so. */
final class TestNode {

  static final Bytes COMPOSED = Bytes.utf8("Subject: composed\r\n\r\nDear Ada");

  private static final int PLENTY = 1_000;
  private static final long MANY_BYTES = 1L << 40;

  private final OutboxStore store;
  private final NodeId node;

  TestNode(OutboxStore store, String name) {
    this.store = store;
    this.node = NodeId.incarnate(name);
  }

  NodeId node() {
    return node;
  }

  /** Claims all that is due in a state, whatever the lane. */
  List<Claim> claim(State from) {
    Map<PriorityLane, Integer> shares = new EnumMap<>(PriorityLane.class);
    for (PriorityLane lane : PriorityLane.values()) {
      shares.put(lane, PLENTY);
    }
    return claim(from, shares);
  }

  /** Claims up to so many emails of normal priority. */
  List<Claim> claim(State from, int limit) {
    return claim(from, Map.of(PriorityLane.NORMAL, limit));
  }

  List<Claim> claim(State from, Map<PriorityLane, Integer> shares) {
    return claim(from, shares, MANY_BYTES);
  }

  List<Claim> claim(State from, Map<PriorityLane, Integer> shares, long maxBytes) {
    return store.claim(new ClaimRequest(node, from, shares, maxBytes));
  }

  /** Claims the only email that is due in a state. */
  Claim claimOnly(State from) {
    List<Claim> claims = claim(from);
    assertThat(claims).as("emails claimed from %s, where one was due", from.wireName()).hasSize(1);
    return claims.get(0);
  }

  /** Takes an email from intake to the wire under the same claim. */
  Claim proceed(Claim claim) {
    List<Claim> standing = store.beginDelivery(List.of(claim));
    assertThat(standing)
        .as("claims that still stood, of one that nobody had touched")
        .extracting(Claim::id)
        .containsExactly(claim.id());
    return standing.get(0);
  }

  /** Claims all accepted emails and takes them to the wire. */
  List<Claim> allOnTheWire() {
    List<Claim> claims = claim(State.ACCEPTED);
    List<Claim> standing = store.beginDelivery(claims);
    assertThat(standing).as("claims that still stood").hasSameSizeAs(claims);
    return standing;
  }

  /** Brings the only accepted email to the wire, without storing its composed bytes. */
  Claim onTheWire() {
    return proceed(claimOnly(State.ACCEPTED));
  }

  /** Brings the only accepted email to the wire by way of {@code READY}, with composed bytes. */
  Claim onTheWireComposed() {
    makeReady();
    return claimOnly(State.READY);
  }

  /** Brings the only accepted email to {@code READY}. */
  EmailId makeReady() {
    Claim claim = claimOnly(State.ACCEPTED);
    applied(Completion.postponed(claim, Duration.ZERO, OutcomeDetails.NONE, COMPOSED));
    return claim.id();
  }

  CompletionResult complete(Completion completion) {
    List<CompletionResult> results = store.complete(List.of(completion));
    assertThat(results).as("results of one completion").hasSize(1);
    return results.get(0);
  }

  /** Completes what is certain to be applied. */
  void applied(Completion completion) {
    assertThat(complete(completion))
        .as("completion from %s to %s under a standing claim", completion.from(), completion.to())
        .isEqualTo(CompletionResult.APPLIED);
  }

  /** Lets this node die and be reaped, all it holds at once. */
  List<ReapedEmail> die(ReapPolicy policy) {
    return store.reap(node, beats(), policy, PLENTY);
  }

  List<ReapedEmail> die() {
    return die(ReapPolicy.DEFAULT);
  }

  /** Returns this node's counter as another node sees it. */
  long beats() {
    NodeId watcher = NodeId.incarnate("watcher");
    long beats =
        store.heartbeat(watcher).stream()
            .filter(seen -> seen.node().equals(node))
            .mapToLong(seen -> seen.beat())
            .findFirst()
            .orElse(0);
    store.deregister(watcher);
    return beats;
  }
}
