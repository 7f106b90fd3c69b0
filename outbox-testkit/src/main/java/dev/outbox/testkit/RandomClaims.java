package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.settings.UnknownOutcomePolicy;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.NodeHeartbeat;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.PriorityLane;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.ReapedEmail;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a random walk: they claim and complete, also under claims that were lost long ago,
 * and die.
 */
final class RandomClaims {

  private static final int NODES = 3;
  private static final int ALL = 10_000;

  private final StoreModel model;
  private final ModelCheck check;
  private final Random random;
  private final RandomResults results;
  private final List<NodeId> nodes = new ArrayList<>();
  private final List<Claim> claims = new ArrayList<>();
  private final List<Completion> completions = new ArrayList<>();
  private final Set<EmailId> touched = new HashSet<>();

  /** Tells what was asked, and what the answer was. */
  interface Story {
    void tell(String what, @Nullable Object answer);
  }

  RandomClaims(StoreModel model, ModelCheck check, Random random) {
    this.model = model;
    this.check = check;
    this.random = random;
    this.results = new RandomResults(random);
    for (int i = 0; i < NODES; i++) {
      NodeId node = new NodeId("node-%d~%016x".formatted(i, random.nextLong()));
      nodes.add(node);
      model.node(node);
    }
  }

  /** Returns the emails of the last step, and forgets them. */
  List<EmailId> touched() {
    List<EmailId> last = List.copyOf(touched);
    touched.clear();
    return last;
  }

  void claim(OutboxStore store, Story story) {
    ClaimRequest request = request();
    List<Claim> given = store.claim(request);
    story.tell("claim " + request, given);
    model.node(request.node()).claim();
    given(request, given);
    Instant start = check.start(store);
    for (Claim claim : given) {
      ModelEmail email = model.email(claim.id());
      boolean fresh = email.claim(request.node(), claim.token(), model.now());
      assertThat(fresh).as("the token of a claim is a new one").isTrue();
      assertThat(claim.state()).as("state of a claim").isEqualTo(email.state);
      assertThat(claim.content()).as("content of a claim").isEqualTo(ModelCheck.content(email));
      check.same(claim.email(), start);
      // What is left grows shorter while the test runs.
      Duration left = email.deadline.moved().minus(model.now().moved());
      assertThat(claim.timeToExpiry())
          .as("time that is left")
          .isBetween(left.minus(RandomOperations.UNIT.dividedBy(2)), left.plusSeconds(60));
      touched.add(claim.id());
    }
    claims.addAll(given);
  }

  private ClaimRequest request() {
    Map<PriorityLane, Integer> shares = new EnumMap<>(PriorityLane.class);
    for (PriorityLane lane : PriorityLane.values()) {
      if (random.nextInt(5) > 0) {
        shares.put(lane, random.nextInt(4));
      }
    }
    shares.merge(one(List.of(PriorityLane.values())), 1, Integer::sum);
    List<State> all =
        Stream.of(State.values()).filter(state -> state.claimedAs().isPresent()).toList();
    List<State> waiting = all.stream().filter(model::hasDue).toList();
    List<State> from = waiting.isEmpty() || random.nextInt(8) == 0 ? all : waiting;
    long bytes = random.nextInt(4) == 0 ? 1 + random.nextInt(400) : ALL;
    return new ClaimRequest(one(nodes), one(from), shares, bytes);
  }

  /**
   * Which of those that became due in one step comes first is the store's to choose, and so is the
   * lane in which it stops when there are bytes too many.
   */
  private void given(ClaimRequest request, List<Claim> given) {
    Map<PriorityLane, Integer> expected = model.given(request);
    Map<PriorityLane, List<ModelTime>> order = new EnumMap<>(PriorityLane.class);
    long bytes = 0;
    Set<EmailId> ids = new HashSet<>();
    for (Claim claim : given) {
      ModelEmail email = model.email(claim.id());
      assertThat(ids.add(claim.id())).as("given once").isTrue();
      assertThat(email.state).as("state of what is given").isEqualTo(request.from());
      assertThat(email.due).as("due time of what is given").isNotNull();
      order
          .computeIfAbsent(email.lane, lane -> new ArrayList<>())
          .add(Objects.requireNonNull(email.due));
      bytes += email.length();
    }
    boolean leavesOut = false;
    boolean hasNoRoom = false;
    for (Map.Entry<PriorityLane, Integer> lane : expected.entrySet()) {
      List<ModelEmail> due = model.due(request.from(), lane.getKey());
      List<ModelTime> taken = Objects.requireNonNullElse(order.remove(lane.getKey()), List.of());
      assertThat(taken.size())
          .as("given of %s, of %s where %d are due", lane.getKey(), expected, due.size())
          .isLessThanOrEqualTo(lane.getValue());
      assertThat(taken)
          .as("due times of what is given, the longest due first")
          .isEqualTo(
              due.stream().limit(taken.size()).map(e -> Objects.requireNonNull(e.due)).toList());
      long room = request.maxBytes() - bytes;
      leavesOut |= taken.size() < lane.getValue();
      hasNoRoom |=
          due.stream().filter(e -> !ids.contains(e.request.id())).anyMatch(e -> e.length() > room);
    }
    assertThat(order).as("given from lanes that were not asked").isEmpty();
    assertThat(given.size() <= 1 || bytes <= request.maxBytes()).as("%s bytes", bytes).isTrue();
    assertThat(!leavesOut || (hasNoRoom && !given.isEmpty())).as("gives all it may").isTrue();
  }

  void proceed(OutboxStore store, Story story) {
    List<Claim> some =
        some().stream().filter(claim -> claim.state() == State.INTAKING).distinct().toList();
    if (some.isEmpty()) {
      return;
    }
    List<Claim> standing = store.beginDelivery(some);
    story.tell("proceed " + some, standing);
    List<Claim> expected = new ArrayList<>();
    for (Claim claim : some) {
      ModelEmail email = model.emails.get(claim.id());
      if (email != null && email.proceed(claim.node(), claim.token(), model.now())) {
        expected.add(claim.forDelivery());
      }
      touched.add(claim.id());
    }
    assertThat(standing).as("claims that stand").isEqualTo(expected);
    claims.addAll(standing);
  }

  void complete(OutboxStore store, Story story) {
    List<Completion> some = new ArrayList<>();
    some().forEach(claim -> some.add(results.of(claim)));
    if (random.nextInt(4) == 0 && !completions.isEmpty()) {
      some.add(one(completions));
    }
    if (random.nextInt(8) == 0 && !some.isEmpty()) {
      some.add(some.get(0));
    }
    if (some.isEmpty()) {
      return;
    }
    List<CompletionResult> answers = store.complete(some);
    story.tell("complete " + some.stream().map(RandomClaims::told).toList(), answers);
    assertThat(answers)
        .as("answers of completions")
        .isEqualTo(some.stream().map(model::complete).toList());
    some.forEach(done -> touched.add(done.id()));
    completions.addAll(some);
  }

  private static String told(Completion done) {
    return "%s under %d by %s: %s to %s"
        .formatted(done.id(), done.token(), done.node(), done.from(), done.to());
  }

  /** Returns some claims: mostly such as stand, or the last ones on emails that nobody holds. */
  private List<Claim> some() {
    List<Claim> standing = claims.stream().filter(model::stands).toList();
    Map<EmailId, Claim> last = new LinkedHashMap<>();
    claims.forEach(claim -> last.put(claim.id(), claim));
    last.values().removeIf(claim -> model.isHeld(claim.id()));
    List<Claim> some = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0 && !claims.isEmpty(); i--) {
      List<Claim> kind =
          switch (random.nextInt(6)) {
            case 0 -> claims;
            case 1, 2 -> List.copyOf(last.values());
            default -> standing;
          };
      some.add(one(kind.isEmpty() ? claims : kind));
    }
    return some;
  }

  void reap(OutboxStore store, Story story) {
    List<NodeId> holding = nodes.stream().filter(node -> !model.heldBy(node).isEmpty()).toList();
    NodeId dead = one(holding.isEmpty() || random.nextInt(4) == 0 ? nodes : holding);
    long counter = listed(store.heartbeat(nodes.get(0))).getOrDefault(dead, 0L);
    boolean lives = random.nextInt(4) == 0;
    UnknownOutcomePolicy unknown = one(List.of(UnknownOutcomePolicy.values()));
    ReapPolicy policy = new ReapPolicy(1 + random.nextInt(2), 2 + random.nextInt(2), unknown);
    int limit = random.nextInt(3) == 0 ? 1 : ALL;
    List<ModelEmail> held = model.heldBy(dead);
    List<ReapedEmail> reaped = store.reap(dead, lives ? counter - 1 : counter, policy, limit);
    story.tell("reap %s, %s, up to %d, lives: %s".formatted(dead, policy, limit, lives), reaped);
    assertThat(reaped).hasSize(lives ? 0 : Math.min(limit, held.size()));
    for (ReapedEmail each : reaped) {
      ModelEmail email = model.email(each.id());
      assertThat(email.owner).as("owner of what is reaped").isEqualTo(dead);
      assertThat(each).isEqualTo(email.reap(dead, policy, model.now()));
      touched.add(each.id());
    }
  }

  void beat(OutboxStore store, Story story) {
    NodeId node = one(nodes);
    List<NodeHeartbeat> beats = store.heartbeat(node);
    story.tell("beat " + node, beats);
    model.node(node).beat();
    beats(beats);
  }

  /** Reaping asks with a beat of the first node. */
  private Map<NodeId, Long> listed(List<NodeHeartbeat> beats) {
    model.node(nodes.get(0)).beat();
    return beats(beats);
  }

  private Map<NodeId, Long> beats(List<NodeHeartbeat> beats) {
    Map<NodeId, Long> counters = new HashMap<>();
    beats.forEach(beat -> assertThat(counters.put(beat.node(), beat.beat())).isNull());
    assertThat(model.nodes.keySet()).as("nodes").containsAll(counters.keySet());
    model.nodes.forEach(
        (id, node) -> {
          Long counter = counters.get(id);
          if (counter == null) {
            assertThat(node.beats()).as("a node that beats is missing").isFalse();
            assertThat(model.heldBy(id)).as("what a node holds that is not listed").isEmpty();
          } else {
            assertThat(node.counters()).as("counters that are possible").contains(counter);
            assertThat(node.isForgotten()).as("a node is listed that has retired").isFalse();
            node.seen(counter);
          }
        });
    return counters;
  }

  void retire(OutboxStore store, Story story) {
    NodeId node = one(nodes);
    boolean holds = !model.heldBy(node).isEmpty();
    store.deregister(node);
    story.tell("retire " + node, holds ? "while it holds" : "for good");
    model.node(node).retire(holds);
  }

  private <T> T one(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
