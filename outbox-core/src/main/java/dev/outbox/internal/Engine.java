package dev.outbox.internal;

import com.google.common.eventbus.EventBus;
import dev.outbox.email.Email;
import dev.outbox.email.EmailDetails;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.FailureCode;
import dev.outbox.email.HistoryEntry;
import dev.outbox.email.Page;
import dev.outbox.email.Receipt;
import dev.outbox.email.State;
import dev.outbox.event.NodeActivity;
import dev.outbox.event.OutboxEvent;
import dev.outbox.event.OutboxHealth;
import dev.outbox.store.ManualMove;
import dev.outbox.store.Moved;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.StateCount;
import dev.outbox.store.StoreException;
import dev.outbox.store.StoreWriter;
import dev.outbox.store.StoredEmail;
import dev.outbox.transport.MessagePreview;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What stands behind an {@code Outbox}: the front door, and on nodes that send the machinery. */
public final class Engine {

  private static final Logger log = LoggerFactory.getLogger(Engine.class);
  private static final Duration EVENTS_PATIENCE = Duration.ofSeconds(2);

  private final OutboxStore store;
  private final EventBus bus;
  private final Notices notices;
  private final FrontDoor frontDoor;
  private final BusPort port;
  private final Previews previews;
  private final Reads reads;
  private final @Nullable Machinery machinery;
  private final @Nullable Pass pass;
  private final PassRunner passes = new PassRunner();
  private volatile @Nullable Processor processor;
  private volatile boolean closed;

  /** Puts an engine together; nothing runs yet. */
  public Engine(Wiring wiring) {
    this.store = wiring.store();
    this.bus = wiring.bus();
    this.notices = new Notices(bus);
    this.frontDoor =
        new FrontDoor(wiring.defaults(), wiring.limits(), wiring.templates(), notices, this::wake);
    this.machinery = wiring.transport() == null ? null : new Machinery(wiring, notices);
    this.pass = machinery == null ? null : machinery.pass();
    this.port = new BusPort(bus, email -> accept(store, List.of(email)).get(0), this::wake);
    this.previews = new Previews(wiring.templates(), wiring.transport());
    this.reads = new Reads(wiring.readTimeout(), wiring.nodeName());
    port.open();
  }

  /** Checks and stores emails, by the store itself or in a transaction of the host's. */
  public List<Receipt> accept(StoreWriter writer, List<Email> emails) {
    return frontDoor.accept(writer, emails);
  }

  /** Finds an email, and reads its content. */
  public Optional<EmailDetails> find(EmailId id) {
    return reads.call("find", () -> store.find(id)).map(Payload::details);
  }

  /** Shows an email as its receivers get it; empty if there is no such email or content. */
  public Optional<MessagePreview> preview(EmailId id) {
    return reads.call("preview", () -> store.find(id)).flatMap(previews::of);
  }

  /** Tells an email's whole way; empty if there is no such email. */
  public List<HistoryEntry> history(EmailId id) {
    return reads.call(
        "history",
        () ->
            store
                .find(id)
                .map(StoredEmail::summary)
                .map(email -> Chronicle.of(email, store.history(id)))
                .orElse(List.of()));
  }

  /** Finds a page of emails. */
  public Page query(EmailQuery query, @Nullable EmailId after, int limit) {
    return reads.call("query", () -> store.query(query, after, limit));
  }

  /** Counts the emails in each state. */
  public Map<State, StateCount> counts() {
    return reads.call("stats", store::stats);
  }

  /** Does something by hand, and tells it. */
  public List<Moved> move(ManualMove move, List<EmailId> ids) {
    List<Moved> results = store.move(move, ids);
    notices.postAll(
        results.stream()
            .filter(result -> result.status() == Moved.Status.DONE)
            .map(Moved::id)
            .toList(),
        id -> event(move, id));
    if (move == ManualMove.REQUEUE) {
      wake();
    }
    return results;
  }

  private static OutboxEvent event(ManualMove move, EmailId id) {
    return switch (move) {
      case CANCEL -> new OutboxEvent.EmailFailed(id, FailureCode.CANCELLED, List.of());
      case REQUEUE -> new OutboxEvent.EmailRequeued(id);
      case ERASE -> new OutboxEvent.EmailErased(id);
    };
  }

  /** Registers a subscriber to what happens. */
  public void register(Object subscriber) {
    bus.register(subscriber);
  }

  /** Takes a subscriber off again. */
  public void unregister(Object subscriber) {
    bus.unregister(subscriber);
  }

  /** Says that there may be new mail. */
  public void wake() {
    Processor running = processor;
    if (running != null) {
      running.wake();
    }
  }

  /** Starts the threads; once is enough. */
  public synchronized void start() {
    Machinery parts = sending();
    if (closed) {
      throw new IllegalStateException("closed");
    }
    checkRetention(parts);
    if (processor == null) {
      passes.run(() -> startThreads(parts));
    }
  }

  /** Fails if the store has a retention of its own that differs from the outbox's. */
  private static void checkRetention(Machinery parts) {
    try {
      parts.store.prune(parts.wiring.retention(), 0);
    } catch (StoreException e) {
      if (e.reason() == StoreException.Reason.MISCONFIGURED) {
        throw e;
      }
    }
  }

  private int startThreads(Machinery parts) {
    // One that was closed with another outbox would let every email wait without a word.
    int granted = parts.transport.grants(1);
    notices.start(work -> Processor.thread(parts, "events", work));
    Processor started = new Processor(parts);
    parts.pulse.answered();
    started.start();
    processor = started;
    log.info("node {} started", parts.lease.node());
    return granted;
  }

  /** Does all that is due, on this thread; returns how many emails were claimed. */
  public int processDue() {
    Machinery parts = sending();
    return passes.run(
        () -> {
          if (closed) {
            throw new IllegalStateException("closed");
          }
          if (processor != null || pass == null) {
            throw new IllegalStateException(
                "processDue is for an outbox without threads of its own");
          }
          checkRetention(parts);
          return pass.run();
        });
  }

  /** Stops or goes on claiming. */
  public void setPaused(boolean paused) {
    Processor running = processor;
    if (running == null) {
      throw new IllegalStateException("not started");
    }
    running.setPaused(paused);
  }

  /** Tells what the node is doing. */
  public NodeActivity activity() {
    Processor running = processor;
    if (machinery == null || running == null) {
      return NodeActivity.STOPPED;
    }
    if (machinery.outage.isOn()) {
      return NodeActivity.STORE_OUT_OF_REACH;
    }
    return running.isPaused() ? NodeActivity.PAUSED : NodeActivity.RUNNING;
  }

  /** Returns the health of the node, without a call of the store. */
  public OutboxHealth health() {
    Machinery parts = machinery;
    Processor running = closed ? null : processor;
    if (parts == null || closed) {
      return Vitals.storing();
    }
    List<String> ended = new ArrayList<>();
    if (running != null) {
      ended.addAll(running.endedThreads());
      notices.endedThread().ifPresent(ended::add);
    }
    return Vitals.of(
        parts,
        activity(),
        running != null,
        running != null && running.isPaused(),
        // A thread that ended because close() began meanwhile has done so rightly.
        closed ? List.of() : List.copyOf(ended));
  }

  /** Returns how many emails the node holds. */
  public int inFlight() {
    return machinery == null ? 0 : machinery.inFlight.size();
  }

  /** Returns how many emails this node has seen sent. */
  public long sentCount() {
    return machinery == null ? 0 : machinery.ledger.sentCount();
  }

  /** Returns how many emails this node has seen fail or found invalid. */
  public long failedCount() {
    return machinery == null ? 0 : machinery.ledger.failedCount();
  }

  /** Returns how many callbacks this node has given up. */
  public long abandonedCount() {
    return machinery == null ? 0 : machinery.ledger.abandonedCount();
  }

  /**
   * Stops everything; twice is fine. An interrupt of the caller, before or during the call, does
   * not shorten it and is kept.
   */
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    boolean interrupted = Thread.interrupted();
    try {
      closeParts();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void closeParts() {
    port.close();
    Processor running = processor;
    if (running != null) {
      running.close();
      processor = null;
    } else if (machinery != null) {
      if (pass != null) {
        pass.stop();
      }
      passes.end(machinery.wiring.processor().closeGrace(), machinery.transport::close);
      machinery.leave(machinery.ledger.settleWithin(machinery.wiring.processor().closeGrace()));
    }
    notices.stop(EVENTS_PATIENCE);
    reads.close();
    log.info("closed");
  }

  private Machinery sending() {
    if (machinery == null) {
      throw new IllegalStateException("no transport: this outbox only stores emails");
    }
    return machinery;
  }
}
