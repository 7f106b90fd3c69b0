package dev.outbox;

import dev.outbox.email.Email;
import dev.outbox.email.EmailDetails;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailPage;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.HistoryEntry;
import dev.outbox.email.Receipt;
import dev.outbox.email.State;
import dev.outbox.internal.OutboxEngine;
import dev.outbox.monitoring.NodeStatus;
import dev.outbox.monitoring.OutboxHealth;
import dev.outbox.store.ActionResult;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.StoreWriter;
import dev.outbox.transport.MessagePreview;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Emails that are safe once {@code send} has returned.
 *
 * <pre>{@code
 * Outbox outbox =
 *     Outbox.builder(store)
 *         .transport(smtp)
 *         .templates(Templates.classpath("mail"))
 *         .defaultFrom("Shop <shop@example.com>")
 *         .build()
 *         .start();
 *
 * outbox.send("ada@example.com", "shop@example.com", "Order 42", "order-confirmed", Map.of("id", 42));
 * }</pre>
 *
 * <p>{@code stats}, {@code find}, {@code history}, {@code query} and {@code preview} wait for the
 * store no longer than {@link OutboxBuilder#readTimeout}, 3 s by default, and then throw a {@link
 * dev.outbox.store.StoreException}. They run on at most four threads of the outbox, and therefore
 * outside of a transaction of the caller's; while all of these are blocked, they fail at once.
 *
 * <p>Safe for many threads. A process may have several, and many processes may share a store. An
 * outbox that is never started only stores emails, and others send them.
 */
public final class Outbox implements Enqueuer, AutoCloseable {

  private static final int PAGE = 500;

  private final OutboxStore store;
  private final OutboxEngine engine;

  Outbox(OutboxStore store, OutboxEngine engine) {
    this.store = store;
    this.engine = engine;
  }

  /** Begins to put an outbox together on a store, which stays the caller's to close. */
  public static OutboxBuilder builder(OutboxStore store) {
    return new OutboxBuilder(store);
  }

  @Override
  public Receipt send(Email email) {
    return engine.accept(store, List.of(email)).get(0);
  }

  @Override
  public List<Receipt> sendAll(Collection<Email> emails) {
    return engine.accept(store, List.copyOf(emails));
  }

  /**
   * Returns an enqueuer that joins a transaction of the host's: what it stores is seen by nobody
   * before the commit, and gone after a rollback. Nothing is retried there.
   *
   * @param transaction made by the store, for the host's own connection or transaction
   */
  public Enqueuer in(StoreWriter transaction) {
    return new Enqueuer() {
      @Override
      public Receipt send(Email email) {
        return engine.accept(transaction, List.of(email)).get(0);
      }

      @Override
      public List<Receipt> sendAll(Collection<Email> emails) {
        return engine.accept(transaction, List.copyOf(emails));
      }
    };
  }

  /** Finds an email with its content while there is any, waiting or long sent. */
  public Optional<EmailDetails> find(EmailId id) {
    return engine.find(id);
  }

  /**
   * Shows an email as its receivers get it, rendered with this node's templates and composed by its
   * transport; nothing is changed. Empty if there is no such email or its content is gone.
   */
  public Optional<MessagePreview> preview(EmailId id) {
    return engine.preview(id);
  }

  /** Tells an email's whole way so far; empty if there is no such email. */
  public List<HistoryEntry> history(EmailId id) {
    return engine.history(id);
  }

  /**
   * Finds emails, the newest first.
   *
   * @param after {@link EmailPage#next()} of the page before; null for the first page
   * @param limit how many at most, 1 to 1,000
   */
  public EmailPage query(EmailQuery query, @Nullable EmailId after, int limit) {
    if (limit < 1 || limit > 1_000) {
      throw new IllegalArgumentException("limit: want 1 to 1000, is " + limit);
    }
    return engine.query(query, after, limit);
  }

  /**
   * Finds the newest emails.
   *
   * @param limit how many at most, 1 to 1,000
   */
  public EmailPage query(EmailQuery query, int limit) {
    return query(query, null, limit);
  }

  /** Tells what this node is doing, without asking the store. */
  public NodeStatus status() {
    return engine.status();
  }

  /**
   * Returns the health of this node, without a call of the store: for probes, which must not hang
   * with it.
   */
  public OutboxHealth health() {
    return engine.health();
  }

  /** Counts what waits, and tells what this node is doing. */
  public OutboxStats stats() {
    return new OutboxStats(
        engine.counts(),
        engine.status(),
        engine.inFlight(),
        engine.sentCount(),
        engine.failedCount(),
        engine.abandonedCount());
  }

  /**
   * Sends a failed or invalid email once more, with all its attempts, as soon as there is room: a
   * {@code sendAt} that it had counts no more, also if it was cancelled before that time.
   *
   * @return false if there is no such email, or it has not failed, or its content is gone
   */
  public boolean requeue(EmailId id) {
    return engine.move(OperatorAction.REQUEUE, List.of(id)).get(0).status()
        == ActionResult.Status.DONE;
  }

  /**
   * Sends all failed and invalid emails once more that a query finds. Those that were cancelled,
   * that have expired or that may have arrived are left alone unless the query names that code.
   *
   * @return how many were requeued
   */
  public int requeueAll(EmailQuery query) {
    Set<State> states = requeueable(query);
    if (states.isEmpty()) {
      return 0;
    }
    // Naming the states keeps the store from reading the log, where nothing can be requeued.
    EmailQuery narrowed =
        new EmailQuery(
            states,
            query.codes(),
            query.recipient(),
            query.template(),
            query.tag(),
            query.createdSince(),
            query.createdBefore());
    int requeued = 0;
    EmailId after = null;
    do {
      EmailPage page = engine.query(narrowed, after, PAGE);
      List<EmailId> ids =
          page.emails().stream()
              .filter(email -> isRequeued(query, email))
              .map(EmailSummary::id)
              .toList();
      requeued +=
          (int)
              engine.move(OperatorAction.REQUEUE, ids).stream()
                  .filter(moved -> moved.status() == ActionResult.Status.DONE)
                  .count();
      after = page.next();
    } while (after != null);
    return requeued;
  }

  private static Set<State> requeueable(EmailQuery query) {
    return Stream.of(State.values())
        .filter(state -> state.stateAfterRequeue(false).isPresent())
        .filter(state -> query.states().isEmpty() || query.states().contains(state))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static boolean isRequeued(EmailQuery query, EmailSummary email) {
    return !email.archived()
        && email.state().stateAfterRequeue(false).isPresent()
        && (!query.codes().isEmpty() || email.code() == null || email.code().isRequeuedUnnamed());
  }

  /** Gives up an email that is not on the wire yet. */
  public CancelResult cancel(EmailId id) {
    return switch (engine.move(OperatorAction.CANCEL, List.of(id)).get(0).status()) {
      case DONE -> CancelResult.CANCELLED;
      case REFUSED -> CancelResult.TOO_LATE;
      case NOT_FOUND -> CancelResult.NOT_FOUND;
    };
  }

  /**
   * Takes away all personal data of an email: addresses, subject, content, what relays said. Its
   * id, its times and its idempotency key stay. One that has not been sent yet is cancelled.
   *
   * @return false if there is no such email, or it is being delivered
   */
  public boolean erase(EmailId id) {
    return engine.move(OperatorAction.ERASE, List.of(id)).get(0).status()
        == ActionResult.Status.DONE;
  }

  /**
   * Registers an object whose methods with guava's {@code @Subscribe} are told what happens, with
   * the bus that was set or else the outbox's own. {@link dev.outbox.event.OutboxEvent} says which
   * events there are, and when they are lost.
   */
  public void register(Object subscriber) {
    engine.register(subscriber);
  }

  /**
   * Takes a subscriber off again.
   *
   * @throws IllegalArgumentException if it was not registered
   */
  public void unregister(Object subscriber) {
    engine.unregister(subscriber);
  }

  /** Says that there may be new mail: for hooks after a commit that the store is not told of. */
  public void wake() {
    engine.wake();
  }

  /**
   * Starts claiming and sending, on threads of its own that run until {@link #close()}.
   *
   * @return this outbox
   * @throws IllegalStateException if there is no transport, or the outbox was closed, or its
   *     transport was
   */
  public Outbox start() {
    engine.start();
    return this;
  }

  /**
   * Stops claiming; what is in flight goes on. Every {@link #start()} begins without a pause: to
   * store emails and send none, do not start.
   *
   * @throws IllegalStateException if it was not started, or was closed
   */
  public void pause() {
    engine.setPaused(true);
  }

  /**
   * Claims again after {@link #pause()}.
   *
   * @throws IllegalStateException if it was not started, or was closed
   */
  public void resume() {
    engine.setPaused(false);
  }

  /**
   * Does all that is due now, on this thread: for tests, and for hosts with a scheduler of their
   * own. If the store is unavailable it does nothing, and the next call goes on.
   *
   * @return how many emails were claimed
   * @throws IllegalStateException if there is no transport, or the outbox was started or closed
   */
  public int processDue() {
    return engine.processDue();
  }

  /**
   * Stops claiming, lets what is on the wire end within its grace time, gives the rest back without
   * using up an attempt, and closes the transport. Twice is fine. Emails can still be stored.
   *
   * <p>An interrupt of the calling thread, before or during the call, does not shorten the grace
   * time, because a delivery that is cut off may be made a second time. The thread's interrupt flag
   * is set when this returns.
   */
  @Override
  public void close() {
    engine.close();
  }
}
