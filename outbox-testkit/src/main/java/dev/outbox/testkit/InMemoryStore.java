package dev.outbox.testkit;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailPage;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.ActionResult;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRef;
import dev.outbox.store.ClaimRequest;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.EmailRecord;
import dev.outbox.store.HistoryRecord;
import dev.outbox.store.IdempotencyKey;
import dev.outbox.store.InsertResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.NodeHeartbeat;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.ReapedEmail;
import dev.outbox.store.StateCount;
import dev.outbox.store.StoreException;
import dev.outbox.store.StoredEmail;
import dev.outbox.store.Transition;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A store that keeps its tables in memory, for tests: it does all that a real one does, and forgets
 * everything when the process ends.
 *
 * <p>Its time is the system's, and can be moved forward by hand. Safe for use by many threads; each
 * call is one transaction under one lock. What is stored is turned into bytes and read back, so
 * that nothing is shared with the caller.
 */
public final class InMemoryStore implements OutboxStore {

  private final Clock clock;
  private final InMemoryTables tables = new InMemoryTables();
  private Duration offset = Duration.ZERO;

  /** Makes an empty store whose time runs with the system's. */
  public InMemoryStore() {
    this(Clock.systemUTC());
  }

  /** Makes an empty store that takes its time from a clock, perhaps one that stands still. */
  public InMemoryStore(Clock clock) {
    this.clock = clock;
  }

  /** Moves the store's time forward. */
  public synchronized void advance(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("duration: below zero: " + duration);
    }
    offset = offset.plus(duration);
  }

  /** Returns the store's present time. */
  public synchronized Instant now() {
    return clock.instant().plus(offset).truncatedTo(ChronoUnit.MICROS);
  }

  /** Begins a transaction such as a host has on its own database. */
  public InMemoryTransaction begin() {
    return new InMemoryTransaction(this);
  }

  @Override
  public synchronized List<InsertResult> insert(List<NewEmail> emails) {
    return emails.stream().map(this::insert).toList();
  }

  private InsertResult insert(NewEmail email) {
    InsertResult result = preview(email);
    if (result.status() == InsertResult.Status.CREATED && !tables.knows(email.id())) {
      tables.save(EmailRecord.of(email, now()));
      tables.savePayload(email.id(), email.payload());
      IdempotencyKey key = email.key();
      if (key != null) {
        tables.takeKey(key.key(), new InMemoryTables.KeyItem(email.id(), key.fingerprint()));
      }
    }
    return result;
  }

  /** Tells what an insert would answer now. */
  synchronized InsertResult preview(NewEmail email) {
    IdempotencyKey key = email.key();
    if (key == null || tables.knows(email.id())) {
      return new InsertResult(email.id(), InsertResult.Status.CREATED);
    }
    return tables
        .key(key.key())
        .map(
            first ->
                new InsertResult(
                    first.id(),
                    first.fingerprint().equals(key.fingerprint())
                        ? InsertResult.Status.EXISTING
                        : InsertResult.Status.CONFLICT))
        .orElse(new InsertResult(email.id(), InsertResult.Status.CREATED));
  }

  /** Stores what a transaction has gathered, all or nothing. */
  synchronized void commit(List<NewEmail> emails) {
    if (!emails.stream()
        .allMatch(email -> preview(email).status() == InsertResult.Status.CREATED)) {
      throw new StoreException(
          StoreException.Reason.RETRY_TRANSACTION,
          "an idempotency key was taken meanwhile; retry the transaction",
          null);
    }
    emails.forEach(this::insert);
  }

  @Override
  public void afterCommit(Runnable action) {
    action.run();
  }

  @Override
  public synchronized List<Claim> claim(ClaimRequest request) {
    Instant now = now();
    List<Claim> claims = new ArrayList<>();
    long bytes = 0;
    for (EmailId id : chosen(request, now)) {
      bytes += tables.contentLength(id);
      if (bytes > request.maxBytes() && !claims.isEmpty()) {
        break;
      }
      claims.add(claim(id, request, now));
    }
    return claims;
  }

  /** Gives each lane its share, and then what is left over to the lanes in their order. */
  private List<EmailId> chosen(ClaimRequest request, Instant now) {
    State from = request.from();
    List<EmailId> chosen = new ArrayList<>();
    request.shares().forEach((lane, share) -> chosen.addAll(tables.due(from, lane, now, share)));
    request
        .shares()
        .forEach(
            (lane, share) ->
                tables.due(from, lane, now, request.limit()).stream()
                    .skip(share)
                    .limit(request.limit() - chosen.size())
                    .forEach(chosen::add));
    return chosen;
  }

  private Claim claim(EmailId id, ClaimRequest request, Instant now) {
    EmailRecord row = tables.email(id).orElseThrow().claimed(request, now);
    tables.save(row);
    return row.claim(tables.content(id), now);
  }

  @Override
  public synchronized List<Claim> beginDelivery(List<Claim> claims) {
    Instant now = now();
    return claims.stream().filter(claim -> proceed(claim, now)).map(Claim::forDelivery).toList();
  }

  private boolean proceed(Claim claim, Instant now) {
    Optional<EmailRecord> held = tables.email(claim.id()).filter(row -> row.isHeldUnder(claim));
    held.ifPresent(row -> tables.save(row.proceeded(now)));
    return held.isPresent();
  }

  @Override
  public synchronized List<CompletionResult> complete(List<Completion> completions) {
    return completions.stream().map(this::complete).toList();
  }

  private CompletionResult complete(Completion done) {
    return row(done.id())
        .map(row -> written(done.id(), row.complete(done, now())))
        .orElse(CompletionResult.LOST);
  }

  @Override
  public synchronized List<ClaimRef> claimsOf(NodeId node, int limit) {
    return tables.heldBy(node, limit).stream()
        .map(id -> tables.email(id).orElseThrow())
        .map(row -> new ClaimRef(row.id(), row.tokens().current(), row.email().state()))
        .toList();
  }

  @Override
  public synchronized List<NodeHeartbeat> heartbeat(NodeId node) {
    tables.beat(node);
    return tables.beats().entrySet().stream()
        .map(entry -> new NodeHeartbeat(entry.getKey(), entry.getValue()))
        .toList();
  }

  @Override
  public synchronized List<ReapedEmail> reap(NodeId dead, long beat, ReapPolicy policy, int limit) {
    if (tables.beatOf(dead) != beat) {
      return List.of();
    }
    return tables.heldBy(dead, limit).stream()
        .map(id -> written(id, reap(id, dead, policy)))
        .toList();
  }

  private Transition<ReapedEmail> reap(EmailId id, NodeId dead, ReapPolicy policy) {
    EmailRecord row = tables.email(id).orElseThrow();
    return row.reap(dead, policy, tables.isComposed(id), now());
  }

  @Override
  public synchronized void deregister(NodeId node) {
    tables.forget(node);
  }

  @Override
  public synchronized List<ActionResult> apply(OperatorAction move, List<EmailId> ids) {
    return ids.stream().map(id -> move(move, id)).toList();
  }

  private ActionResult move(OperatorAction move, EmailId id) {
    return row(id)
        .map(row -> row.move(move, tables.hasContent(id), tables.isComposed(id), now()))
        .map(decision -> written(id, decision))
        .orElse(new ActionResult(id, ActionResult.Status.NOT_FOUND, null));
  }

  private <A> A written(EmailId id, Transition<A> decision) {
    if (decision.change() != null) {
      tables.write(id, decision.change());
    }
    return decision.answer();
  }

  private Optional<EmailRecord> row(EmailId id) {
    return tables.email(id).or(() -> tables.logged(id));
  }

  @Override
  public synchronized Optional<StoredEmail> find(EmailId id) {
    return row(id).map(row -> new StoredEmail(row.email(), tables.content(id)));
  }

  @Override
  public synchronized List<HistoryRecord> history(EmailId id) {
    return tables.history(id);
  }

  @Override
  public synchronized EmailPage query(EmailQuery query, @Nullable EmailId after, int limit) {
    List<EmailSummary> found =
        tables.idsBefore(after).stream()
            .flatMap(id -> row(id).stream())
            .map(EmailRecord::email)
            .filter(query::matches)
            .limit(limit + 1L)
            .toList();
    return found.size() <= limit
        ? new EmailPage(found, null)
        : new EmailPage(found.subList(0, limit), found.get(limit - 1).id());
  }

  @Override
  public synchronized Map<State, StateCount> stats() {
    Instant now = now();
    Map<State, StateCount> counts = new HashMap<>();
    for (EmailRecord row : tables.emails()) {
      counts.merge(row.email().state(), countOf(row.email(), now), InMemoryStore::added);
    }
    return counts;
  }

  private static StateCount countOf(EmailSummary email, Instant now) {
    Instant due = email.due();
    Duration overdue = due == null || due.isAfter(now) ? Duration.ZERO : Duration.between(due, now);
    return new StateCount(1, Duration.between(email.timeline().created(), now), overdue);
  }

  private static StateCount added(StateCount one, StateCount other) {
    return new StateCount(
        Math.min(one.count() + other.count(), StateCount.EXACT_UP_TO),
        longer(one.oldest(), other.oldest()),
        longer(one.overdue(), other.overdue()));
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  @Override
  public synchronized int prune(RetentionSettings retention, int limit) {
    InMemoryPruning pruning = new InMemoryPruning(tables, retention, now(), limit);
    return pruning.run();
  }

  /** Does nothing: the tables live as long as the object. */
  @Override
  public void close() {}
}
