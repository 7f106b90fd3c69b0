package dev.outbox.testkit;

import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.ActionResult;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.IdempotencyKey;
import dev.outbox.store.InsertResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.PriorityLane;
import dev.outbox.store.Sha256;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** What a store should hold, in plain maps: the emails, who has which key, and the nodes. */
final class StoreModel {

  /** Every email that was stored and not pruned, the oldest id first. */
  final Map<EmailId, ModelEmail> emails = new TreeMap<>();

  final Map<NodeId, ModelNode> nodes = new LinkedHashMap<>();
  private final Map<Sha256, Holder> keys = new HashMap<>();
  private ModelTime now = new ModelTime(Duration.ZERO, 0);

  private record Holder(EmailId id, Sha256 fingerprint) {}

  ModelTime now() {
    return now;
  }

  void nextStep() {
    now = new ModelTime(now.moved(), now.step() + 1);
  }

  void advance(Duration time) {
    now = now.plus(time);
  }

  ModelEmail email(EmailId id) {
    return Objects.requireNonNull(emails.get(id), "not in the model");
  }

  ModelNode node(NodeId id) {
    return nodes.computeIfAbsent(id, any -> new ModelNode());
  }

  /** Tells what an insert would answer. */
  InsertResult answer(NewEmail email) {
    IdempotencyKey key = email.key();
    Holder holder = key == null || emails.containsKey(email.id()) ? null : keys.get(key.key());
    if (key == null || holder == null) {
      return new InsertResult(email.id(), InsertResult.Status.CREATED);
    }
    return new InsertResult(
        holder.id,
        holder.fingerprint.equals(key.fingerprint())
            ? InsertResult.Status.EXISTING
            : InsertResult.Status.CONFLICT);
  }

  InsertResult insert(NewEmail email, Function<NewEmail, ModelTime> due) {
    InsertResult answer = answer(email);
    if (answer.status() == InsertResult.Status.CREATED && !emails.containsKey(email.id())) {
      emails.put(email.id(), new ModelEmail(email, due.apply(email), now));
      IdempotencyKey key = email.key();
      if (key != null) {
        keys.put(key.key(), new Holder(email.id(), key.fingerprint()));
      }
    }
    return answer;
  }

  /** Returns when each email of a lane that may be claimed was due, the longest due first. */
  List<ModelEmail> due(State from, PriorityLane lane) {
    return emails.values().stream()
        .filter(email -> email.state == from && email.lane == lane)
        .filter(email -> email.due != null && email.due.isReachedBy(now))
        .sorted(Comparator.comparing(email -> Objects.requireNonNull(email.due)))
        .toList();
  }

  boolean hasDue(State from) {
    return Stream.of(PriorityLane.values()).anyMatch(lane -> !due(from, lane).isEmpty());
  }

  boolean isHeld(EmailId id) {
    ModelEmail email = emails.get(id);
    return email != null && email.owner != null;
  }

  /** Returns whether a claim is the last on an email that is still in its hands. */
  boolean stands(Claim claim) {
    ModelEmail email = emails.get(claim.id());
    return email != null
        && email.state == claim.state()
        && Long.valueOf(claim.token()).equals(email.standing)
        && claim.node().equals(email.owner);
  }

  /** Returns how many emails a claim gives from each lane, however large they are. */
  Map<PriorityLane, Integer> given(ClaimRequest request) {
    Map<PriorityLane, Integer> given = new EnumMap<>(PriorityLane.class);
    int spare = request.limit();
    for (Map.Entry<PriorityLane, Integer> share : request.shares().entrySet()) {
      int count = Math.min(share.getValue(), due(request.from(), share.getKey()).size());
      given.put(share.getKey(), count);
      spare -= count;
    }
    for (PriorityLane lane : request.shares().keySet()) {
      int more = Math.min(spare, due(request.from(), lane).size() - given.getOrDefault(lane, 0));
      given.merge(lane, more, Integer::sum);
      spare -= more;
    }
    return given;
  }

  CompletionResult complete(Completion done) {
    ModelEmail email = emails.get(done.id());
    return email == null ? CompletionResult.LOST : email.complete(done, now);
  }

  ActionResult move(OperatorAction move, EmailId id) {
    ModelEmail email = emails.get(id);
    return email == null
        ? new ActionResult(id, ActionResult.Status.NOT_FOUND, null)
        : email.move(move, now);
  }

  List<ModelEmail> heldBy(NodeId node) {
    return emails.values().stream().filter(email -> node.equals(email.owner)).toList();
  }

  /** Returns whether an email is older than its retention. */
  boolean isOver(ModelEmail email, RetentionSettings retention) {
    if (email.archived) {
      return isSettledFor(email, retention.log());
    }
    if (email.owner != null || email.due != null) {
      return false;
    }
    return switch (email.state.outcome()) {
      case FAILED -> isSettledFor(email, retention.failed());
      case INVALID -> isSettledFor(email, retention.invalid());
      default -> false;
    };
  }

  /** Returns whether it is an email that was sent and whose content is too old. */
  boolean isToBeEmptied(ModelEmail email, RetentionSettings retention) {
    return email.state.outcome() == State.SENT
        && email.payload != null
        && isSettledFor(email, retention.sentContent());
  }

  private boolean isSettledFor(ModelEmail email, Duration time) {
    return email.settled != null && email.settled.plus(time).isReachedBy(now);
  }

  void remove(EmailId id) {
    emails.remove(id);
    keys.values().removeIf(holder -> holder.id.equals(id));
  }
}
