package dev.outbox.internal;

import com.google.common.eventbus.EventBus;
import dev.outbox.email.Email;
import dev.outbox.email.EmailDetails;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailPage;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.FailureCode;
import dev.outbox.email.HistoryEntry;
import dev.outbox.email.Receipt;
import dev.outbox.email.State;
import dev.outbox.event.OutboxEvent;
import dev.outbox.internal.accept.EmailAcceptor;
import dev.outbox.internal.config.OutboxConfig;
import dev.outbox.internal.event.BusSubscriber;
import dev.outbox.internal.event.EventPublisher;
import dev.outbox.internal.payload.Payload;
import dev.outbox.internal.read.EmailPreviewer;
import dev.outbox.internal.read.HistoryAssembler;
import dev.outbox.internal.read.ReadExecutor;
import dev.outbox.internal.run.NodeAssembly;
import dev.outbox.internal.run.NodeHealth;
import dev.outbox.internal.run.ProcessingNode;
import dev.outbox.internal.run.SingleThreadedRun;
import dev.outbox.internal.run.SingleThreadedRunner;
import dev.outbox.monitoring.NodeStatus;
import dev.outbox.monitoring.OutboxHealth;
import dev.outbox.store.ActionResult;
import dev.outbox.store.OperatorAction;
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
public final class OutboxEngine {

  private static final Logger log = LoggerFactory.getLogger(OutboxEngine.class);
  private static final Duration EVENTS_PATIENCE = Duration.ofSeconds(2);

  private final OutboxStore store;
  private final EventBus bus;
  private final EventPublisher publisher;
  private final EmailAcceptor acceptor;
  private final BusSubscriber busSubscriber;
  private final EmailPreviewer previews;
  private final ReadExecutor reads;
  private final @Nullable NodeAssembly assembly;
  private final @Nullable SingleThreadedRun run;
  private final SingleThreadedRunner runner = new SingleThreadedRunner();
  private volatile @Nullable ProcessingNode processor;
  private volatile boolean closed;

  /** Puts an engine together; nothing runs yet. */
  public OutboxEngine(OutboxConfig config) {
    this.store = config.store();
    this.bus = config.bus();
    this.publisher = new EventPublisher(bus);
    this.acceptor =
        new EmailAcceptor(
            config.defaults(), config.limits(), config.templates(), publisher, this::wake);
    this.assembly = config.transport() == null ? null : new NodeAssembly(config, publisher);
    this.run = assembly == null ? null : assembly.singleThreadedRun();
    this.busSubscriber =
        new BusSubscriber(bus, email -> accept(store, List.of(email)).get(0), this::wake);
    this.previews = new EmailPreviewer(config.templates(), config.transport());
    this.reads = new ReadExecutor(config.readTimeout(), config.nodeName());
    busSubscriber.open();
  }

  /** Checks and stores emails, by the store itself or in a transaction of the host's. */
  public List<Receipt> accept(StoreWriter writer, List<Email> emails) {
    return acceptor.accept(writer, emails);
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
                .map(email -> HistoryAssembler.of(email, store.history(id)))
                .orElse(List.of()));
  }

  /** Finds a page of emails. */
  public EmailPage query(EmailQuery query, @Nullable EmailId after, int limit) {
    return reads.call("query", () -> store.query(query, after, limit));
  }

  /** Counts the emails in each state. */
  public Map<State, StateCount> counts() {
    return reads.call("stats", store::stats);
  }

  /** Does something by hand, and tells it. */
  public List<ActionResult> move(OperatorAction move, List<EmailId> ids) {
    List<ActionResult> results = store.apply(move, ids);
    publisher.postAll(
        results.stream()
            .filter(result -> result.status() == ActionResult.Status.DONE)
            .map(ActionResult::id)
            .toList(),
        id -> event(move, id));
    if (move == OperatorAction.REQUEUE) {
      wake();
    }
    return results;
  }

  private static OutboxEvent event(OperatorAction move, EmailId id) {
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
    ProcessingNode running = processor;
    if (running != null) {
      running.wake();
    }
  }

  /** Starts the threads; once is enough. */
  public synchronized void start() {
    NodeAssembly assembly = sending();
    if (closed) {
      throw new IllegalStateException("closed");
    }
    checkRetention(assembly);
    if (processor == null) {
      runner.run(() -> startThreads(assembly));
    }
  }

  /** Fails if the store has a retention of its own that differs from the outbox's. */
  private static void checkRetention(NodeAssembly assembly) {
    try {
      assembly.store.prune(assembly.config.retention(), 0);
    } catch (StoreException e) {
      if (e.reason() == StoreException.Reason.MISCONFIGURED) {
        throw e;
      }
    }
  }

  private int startThreads(NodeAssembly assembly) {
    // One that was closed with another outbox would let every email wait without a word.
    int granted = assembly.transport.availableCapacity(1);
    publisher.start(work -> ProcessingNode.thread(assembly, "events", work));
    ProcessingNode started = new ProcessingNode(assembly);
    assembly.heartbeat.answered();
    started.start();
    processor = started;
    log.info("node {} started", assembly.lease.node());
    return granted;
  }

  /** Does all that is due, on this thread; returns how many emails were claimed. */
  public int processDue() {
    NodeAssembly assembly = sending();
    return runner.run(
        () -> {
          if (closed) {
            throw new IllegalStateException("closed");
          }
          if (processor != null || run == null) {
            throw new IllegalStateException(
                "processDue is for an outbox without threads of its own");
          }
          checkRetention(assembly);
          return run.run();
        });
  }

  /** Stops or goes on claiming. */
  public void setPaused(boolean paused) {
    ProcessingNode running = processor;
    if (running == null) {
      throw new IllegalStateException("not started");
    }
    running.setPaused(paused);
  }

  /** Tells what the node is doing. */
  public NodeStatus status() {
    ProcessingNode running = processor;
    if (assembly == null || running == null) {
      return NodeStatus.STOPPED;
    }
    if (assembly.availability.isUnavailable()) {
      return NodeStatus.STORE_UNAVAILABLE;
    }
    return running.isPaused() ? NodeStatus.PAUSED : NodeStatus.RUNNING;
  }

  /** Returns the health of the node, without a call of the store. */
  public OutboxHealth health() {
    NodeAssembly node = assembly;
    ProcessingNode running = closed ? null : processor;
    if (node == null || closed) {
      return NodeHealth.storing();
    }
    List<String> ended = new ArrayList<>();
    if (running != null) {
      ended.addAll(running.endedThreads());
      publisher.endedThread().ifPresent(ended::add);
    }
    return NodeHealth.of(
        node,
        status(),
        running != null,
        running != null && running.isPaused(),
        // A thread that ended because close() began meanwhile has done so rightly.
        closed ? List.of() : List.copyOf(ended));
  }

  /** Returns how many emails the node holds. */
  public int inFlight() {
    return assembly == null ? 0 : assembly.inFlight.size();
  }

  /** Returns how many emails this node has seen sent. */
  public long sentCount() {
    return assembly == null ? 0 : assembly.recorder.sentCount();
  }

  /** Returns how many emails this node has seen fail or found invalid. */
  public long failedCount() {
    return assembly == null ? 0 : assembly.recorder.failedCount();
  }

  /** Returns how many callbacks this node has given up. */
  public long abandonedCount() {
    return assembly == null ? 0 : assembly.recorder.abandonedCount();
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
    busSubscriber.close();
    ProcessingNode running = processor;
    if (running != null) {
      running.close();
      processor = null;
    } else if (assembly != null) {
      if (run != null) {
        run.stop();
      }
      runner.end(assembly.config.processing().shutdownTimeout(), assembly.transport::close);
      assembly.leave(assembly.recorder.flushWithin(assembly.config.processing().shutdownTimeout()));
    }
    publisher.stop(EVENTS_PATIENCE);
    reads.close();
    log.info("closed");
  }

  private NodeAssembly sending() {
    if (assembly == null) {
      throw new IllegalStateException("no transport: this outbox only stores emails");
    }
    return assembly;
  }
}
