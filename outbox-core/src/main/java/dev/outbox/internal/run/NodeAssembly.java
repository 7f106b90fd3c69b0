package dev.outbox.internal.run;

import dev.outbox.callback.Callback;
import dev.outbox.callback.CallbackResult;
import dev.outbox.email.NodeId;
import dev.outbox.internal.concurrent.UninterruptedWaits;
import dev.outbox.internal.concurrent.WakeSignal;
import dev.outbox.internal.config.OutboxConfig;
import dev.outbox.internal.event.EventPublisher;
import dev.outbox.internal.event.GuardedMetrics;
import dev.outbox.internal.node.DeadNodeDetector;
import dev.outbox.internal.node.InFlightEmails;
import dev.outbox.internal.node.NodeLease;
import dev.outbox.internal.node.StoreAvailability;
import dev.outbox.internal.node.UnrecordedDeliveries;
import dev.outbox.internal.record.CompletionRecorder;
import dev.outbox.internal.stage.CallbackStage;
import dev.outbox.internal.stage.DeliveryStage;
import dev.outbox.internal.stage.IntakeStage;
import dev.outbox.internal.stage.Stages;
import dev.outbox.store.OutboxStore;
import dev.outbox.transport.Transport;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of a node that sends, put together; threads or not is somebody else's choice. */
public final class NodeAssembly {

  private static final Logger log = LoggerFactory.getLogger(NodeAssembly.class);

  /** The settings of the outbox. */
  public final OutboxConfig config;

  /** The store that the node claims from. */
  public final OutboxStore store;

  /** The transport that the node delivers with. */
  public final Transport transport;

  final LongSupplier nanos;
  final WakeSignal wakeSignal = new WakeSignal();

  /** The emails that the node holds. */
  public final InFlightEmails inFlight = new InFlightEmails(wakeSignal);

  /** Whether the store can be used. */
  public final StoreAvailability availability;

  final GuardedMetrics metrics;

  /** The lease of the node. */
  public final NodeLease lease;

  /** Writes the results of the node. */
  public final CompletionRecorder recorder;

  final UnrecordedDeliveries unrecorded;

  /** Renews the lease, and reaps. */
  public final Heartbeat heartbeat;

  final LostClaimRecovery recovery;
  final EmailClaimer claims;
  final Stages stages;
  final RunningTasks tasks;
  final Maintenance maintenance;
  final boolean calls;

  public NodeAssembly(OutboxConfig config, EventPublisher publisher) {
    this.config = config;
    this.store = config.store();
    this.transport = Objects.requireNonNull(config.transport());
    this.nanos = config.nanos();
    this.availability = new StoreAvailability(nanos);
    this.metrics = new GuardedMetrics(config.metrics());
    this.tasks = new RunningTasks(nanos);
    this.calls = config.callback() != null;
    this.lease =
        new NodeLease(
            NodeId.incarnate(config.nodeName()), store, nanos, config.lease().leaseDuration());
    this.recorder = new CompletionRecorder(store, availability, inFlight, publisher, metrics);
    this.unrecorded =
        new UnrecordedDeliveries(
            config.processing().maxUnrecordedResults(),
            config.processing().maxUnrecordedAge(),
            nanos);
    recorder.onRecorded(unrecorded::recorded, unrecorded::wake);
    availability.onUnavailable(unrecorded::wake);
    this.recovery = new LostClaimRecovery(store, lease.node(), inFlight, recorder, availability);
    this.heartbeat =
        new Heartbeat(
            store,
            lease,
            new DeadNodeDetector(lease.node(), config.lease().leaseDuration()),
            recorder,
            availability,
            config.reaping(),
            publisher,
            metrics,
            nanos,
            config.lease().heartbeatInterval());
    this.claims =
        new EmailClaimer(
            store,
            lease.node(),
            transport,
            config.processing(),
            inFlight,
            availability,
            metrics,
            recovery::expectLostClaim,
            nanos);
    this.stages =
        new Stages(store, intake(), delivery(), calling(), availability, inFlight, metrics, nanos);
    this.maintenance =
        new Maintenance(
            store, config.retention(), tasks, availability, metrics, nanos, config.processing());
  }

  private IntakeStage intake() {
    return new IntakeStage(
        config.templates(),
        transport,
        IntakeStage.Deferral.within(config.processing().rollingUpgradePeriod()));
  }

  private DeliveryStage delivery() {
    return new DeliveryStage(
        transport,
        lease,
        config.retries(),
        config.reaping().unknownOutcome(),
        config.keepsContent(),
        nanos);
  }

  private CallbackStage calling() {
    Callback callback = config.callback();
    return new CallbackStage(
        callback == null
            ? notice -> new CallbackResult.Unavailable(null, "no callback is set up", null)
            : callback,
        config.callbacks(),
        config.keepsContent());
  }

  /** Returns a new run on the thread of a caller. */
  public SingleThreadedRun singleThreadedRun() {
    return new SingleThreadedRun(
        heartbeat,
        lease,
        recovery,
        claims,
        stages,
        recorder,
        availability,
        maintenance,
        calls,
        config.processing());
  }

  /** Takes the node out of the store's list; what it could not record is left to others. */
  public void leave(boolean settled) {
    if (!settled || !isRetired()) {
      log.error(
          "closed while the store was unavailable: {} emails stay claimed until another node reaps them",
          inFlight.size());
    }
  }

  private boolean isRetired() {
    try {
      // A call with the interrupt flag set could fail for that alone.
      return UninterruptedWaits.await(
          System.nanoTime(),
          nanos -> {
            store.deregister(lease.node());
            return true;
          });
    } catch (Throwable e) {
      return false;
    }
  }
}
