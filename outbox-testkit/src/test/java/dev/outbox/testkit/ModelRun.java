package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.CancelResult;
import dev.outbox.email.Email;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.HistoryEntry;
import dev.outbox.email.Priority;
import dev.outbox.email.State;
import dev.outbox.retry.RetryPolicy;
import dev.outbox.store.StoreException;
import dev.outbox.testkit.Cluster.Node;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * One random life of a cluster, and a model of what may have become of each email: how often a
 * relay took it, whether anything happened that allows a second time, whether it was cancelled.
 */
final class ModelRun {

  private static final int MAX_ATTEMPTS = 4;
  private static final List<String> ANSWERED = List.of("claim", "beginDelivery", "complete");

  private final Random random;
  private final Cluster cluster = new Cluster();
  private final Node observer = cluster.node();
  private final List<Node> nodes = new ArrayList<>();
  private final Map<String, EmailId> keys = new HashMap<>();
  private final List<EmailId> emails = new ArrayList<>();
  private final Map<EmailId, Integer> taken = new HashMap<>();
  private final Set<EmailId> mayRepeat = new HashSet<>();
  private final Map<EmailId, Integer> takenWhenCancelled = new HashMap<>();

  ModelRun(long seed) {
    this.random = new Random(seed);
    for (int i = 0; i < 3; i++) {
      nodes.add(newNode());
    }
  }

  void run(int steps) {
    for (int i = 0; i < steps; i++) {
      step();
      emails.forEach(this::check);
    }
    heal();
    emails.forEach(this::checkEnd);
  }

  private void step() {
    Node node = nodes.get(random.nextInt(nodes.size()));
    switch (random.nextInt(14)) {
      case 0, 1, 2 -> send(node);
      case 3 -> cancel(node);
      case 4 -> requeue(node);
      case 5 -> node.faults().down(random.nextBoolean());
      case 6 -> node.faults().loseAnswersOf(ANSWERED.get(random.nextInt(3)));
      case 7 -> node.faults().loseNoAnswers();
      case 8 -> replace(node);
      case 9, 10 -> cluster.advance(Duration.ofMillis(random.nextInt(20_000)));
      default -> node.process();
    }
  }

  private Node newNode() {
    Node node = cluster.node(builder -> builder.retries(RetryPolicy.schedule("1s,2s,4s")));
    node.transport().answer(envelope -> answer(node, envelope));
    return node;
  }

  /** Plays the relay, and everything that can happen to a node while it talks to one. */
  private DeliveryResult answer(Node node, Envelope envelope) {
    switch (random.nextInt(12)) {
      case 0 -> {
        return RecordingTransport.defer(envelope);
      }
      case 1 -> {
        return RecordingTransport.refuse(envelope);
      }
      case 2 -> {
        return new DeliveryResult.Postponed(Duration.ofSeconds(3), "slow down", null);
      }
      case 3 -> {
        take(envelope);
        mayRepeat.add(envelope.id());
        return new DeliveryResult.Unknown("connection lost");
      }
      case 4 -> {
        // The node freezes after the dot, and others go on.
        take(envelope);
        mayRepeat.add(envelope.id());
        Node other = nodes.get(random.nextInt(nodes.size()));
        if (!other.equals(node)) {
          cluster.watchForALease(other);
        }
        return RecordingTransport.accept(envelope);
      }
      case 5 -> {
        // The store goes away at the dot. The node keeps the result, but others may think it dead.
        take(envelope);
        mayRepeat.add(envelope.id());
        node.faults().down(true);
        return RecordingTransport.accept(envelope);
      }
      case 6 -> throw new IllegalStateException("a defect in the transport");
      case 7 -> {
        // The node freezes after the dot, and an operator cancels what was taken from it.
        take(envelope);
        mayRepeat.add(envelope.id());
        Node other = nodes.get(random.nextInt(nodes.size()));
        if (!other.equals(node)) {
          other.transport().limitCapacity(0);
          cluster.watchForALease(other);
          other.transport().limitCapacity(Integer.MAX_VALUE);
          cancel(other, envelope.id());
        }
        return RecordingTransport.accept(envelope);
      }
      default -> {
        take(envelope);
        return RecordingTransport.accept(envelope);
      }
    }
  }

  private void take(Envelope envelope) {
    taken.merge(envelope.id(), 1, Integer::sum);
  }

  private void send(Node node) {
    String key = random.nextInt(3) == 0 ? "key-" + random.nextInt(5) : null;
    Priority priority =
        List.of(Priority.HIGH, Priority.NORMAL, Priority.BULK).get(random.nextInt(3));
    var builder = Email.to("ada@example.com").subject("Hello").text("Hi").priority(priority);
    if (key != null) {
      builder.idempotencyKey(key);
    }
    try {
      EmailId id = node.outbox().send(builder.build()).id();
      if (key != null) {
        assertThat(id).as("the email of %s", key).isEqualTo(keys.getOrDefault(key, id));
        keys.put(key, id);
      }
      if (!emails.contains(id)) {
        emails.add(id);
      }
    } catch (StoreException e) {
      assertThat(node.faults().isDown()).isTrue();
    }
  }

  private void cancel(Node node) {
    if (!emails.isEmpty()) {
      cancel(node, emails.get(random.nextInt(emails.size())));
    }
  }

  private void cancel(Node node, EmailId id) {
    if (!node.faults().isDown() && node.outbox().cancel(id) == CancelResult.CANCELLED) {
      takenWhenCancelled.putIfAbsent(id, taken.getOrDefault(id, 0));
    }
  }

  private void requeue(Node node) {
    if (emails.isEmpty() || node.faults().isDown()) {
      return;
    }
    EmailId id = emails.get(random.nextInt(emails.size()));
    if (node.outbox().requeue(id)) {
      takenWhenCancelled.remove(id);
      mayRepeat.add(id);
    }
  }

  /** Kills a node: what it keeps in memory is gone. */
  private void replace(Node node) {
    node.die();
    emails.stream().filter(id -> cluster.state(id) == State.PROCESSING).forEach(mayRepeat::add);
    nodes.set(nodes.indexOf(node), newNode());
  }

  private void check(EmailId id) {
    EmailSummary email = cluster.find(id).summary();
    assertThat(email.progress().attempts()).as("attempts").isLessThanOrEqualTo(MAX_ATTEMPTS);
    checkPath(id);
    if (email.state() == State.SENT) {
      assertThat(taken.getOrDefault(id, 0)).as("deliveries of a sent email").isPositive();
    }
    if (!mayRepeat.contains(id)) {
      assertThat(taken.getOrDefault(id, 0)).as("deliveries").isLessThanOrEqualTo(1);
    }
    if (takenWhenCancelled.containsKey(id)) {
      assertThat(email.code()).as("the code of a cancelled email").isEqualTo(FailureCode.CANCELLED);
      assertThat(taken.getOrDefault(id, 0))
          .as("deliveries after a cancel")
          .isEqualTo(takenWhenCancelled.get(id));
    }
  }

  private void checkPath(EmailId id) {
    List<HistoryEntry> history = observer.outbox().history(id);
    for (int i = 1; i < history.size(); i++) {
      State before = history.get(i - 1).state();
      State after = history.get(i).state();
      assertThat(before == after || before.canBecome(after))
          .as("%s to %s in the history of an email", before, after)
          .isTrue();
    }
  }

  /** Ends all trouble, and lets the cluster come to rest. */
  private void heal() {
    for (Node node : nodes) {
      node.faults().down(false);
      node.faults().loseNoAnswers();
      node.transport()
          .answer(
              envelope -> {
                take(envelope);
                return RecordingTransport.accept(envelope);
              });
    }
    for (int beat = 0; beat < 60; beat++) {
      nodes.forEach(Node::process);
      cluster.advance(Duration.ofSeconds(2));
    }
  }

  private void checkEnd(EmailId id) {
    check(id);
    EmailSummary email = cluster.find(id).summary();
    assertThat(email.owner()).as("owner at the end").isNull();
    assertThat(email.state().hasOutcome()).as("%s at the end", email.state()).isTrue();
    if (email.code() == FailureCode.CANCELLED) {
      assertThat(takenWhenCancelled).containsKey(id);
    }
    assertThat(email.archived()).isEqualTo(email.state().outcome() == State.SENT);
  }
}
