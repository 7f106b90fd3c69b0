package dev.outbox.internal.run;

import dev.outbox.internal.concurrent.BackgroundLoop;
import dev.outbox.internal.concurrent.UninterruptedWaits;
import dev.outbox.internal.record.CompletionBatcher;
import dev.outbox.settings.UnknownOutcomePolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A node's threads, from start to close: one sends heartbeats, one claims, one records, one does
 * maintenance, and a crew does the work.
 */
public final class ProcessingNode {

  private static final Duration SOCKET_PATIENCE = Duration.ofSeconds(5);
  private static final Duration THREAD_PATIENCE = Duration.ofSeconds(10);
  private static final Duration MAINTENANCE_INTERVAL = Duration.ofSeconds(1);
  private static final Duration LINGER = Duration.ofMillis(20);

  private final NodeAssembly assembly;
  private final ClaimLoop claimLoop;
  private final Dispatcher dispatcher;
  private final CompletionBatcher batcher;
  private final BackgroundLoop heartbeatLoop;
  private final BackgroundLoop maintenanceLoop;
  private final Thread claimThread;
  private final Thread recorderThread;
  private final Thread heartbeatThread;
  private final Thread maintenanceThread;
  private final AtomicInteger workers = new AtomicInteger();
  private long lastBeat;

  public ProcessingNode(NodeAssembly assembly) {
    this.assembly = assembly;
    UnknownOutcomePolicy policy = assembly.config.reaping().unknownOutcome();
    this.batcher =
        new CompletionBatcher(
            assembly.recorder,
            assembly.inFlight,
            policy == UnknownOutcomePolicy.HOLD ? Duration.ZERO : LINGER);
    this.dispatcher =
        new Dispatcher(
            assembly.stages,
            batcher::add,
            assembly.tasks,
            assembly.unrecorded,
            assembly.availability,
            assembly.config.processing(),
            policy,
            work -> thread(assembly, "worker-" + workers.incrementAndGet(), work));
    this.claimLoop = new ClaimLoop(assembly, dispatcher);
    this.heartbeatLoop =
        new BackgroundLoop(this::beat, assembly.config.lease().heartbeatInterval());
    this.maintenanceLoop = new BackgroundLoop(this::maintain, MAINTENANCE_INTERVAL);
    this.claimThread = thread(assembly, "claimer", claimLoop);
    this.recorderThread = thread(assembly, "recorder", batcher);
    this.heartbeatThread = thread(assembly, "heartbeat", heartbeatLoop);
    this.maintenanceThread = thread(assembly, "maintenance", maintenanceLoop);
    this.lastBeat = assembly.nanos.getAsLong();
    assembly.recorder.onCallbackDue(claimLoop::hintCallbacks);
  }

  /** Returns a new thread of the node, which is not started. */
  public static Thread thread(NodeAssembly assembly, String job, Runnable work) {
    return new Thread(work, "outbox-" + assembly.config.nodeName() + "-" + job);
  }

  /** Starts the threads. */
  public void start() {
    heartbeatThread.start();
    recorderThread.start();
    claimThread.start();
    maintenanceThread.start();
  }

  /** Lets the node claim at once. */
  public void wake() {
    claimLoop.hintMail();
  }

  /** Pauses or resumes claiming. */
  public void setPaused(boolean paused) {
    claimLoop.setPaused(paused);
  }

  /** Returns whether an operator has paused the node. */
  public boolean isPaused() {
    return claimLoop.isPaused();
  }

  private void beat() {
    long now = assembly.nanos.getAsLong();
    if (now - lastBeat > assembly.config.lease().leaseDuration().toNanos() / 2) {
      // This process was frozen itself: what it saw before says nothing about the others.
      assembly.heartbeat.resetObservations();
    }
    lastBeat = now;
    boolean wasOut = assembly.availability.isUnavailable() || !assembly.lease.isValid();
    assembly.heartbeat.beat();
    if (wasOut && !assembly.availability.isUnavailable()) {
      claimLoop.hintMail();
    }
  }

  private void maintain() {
    assembly.maintenance.run(maintenanceLoop::isStopping);
  }

  /**
   * Stops claiming, gives back what has not been started, lets what is on the wire end within the
   * grace time, then closes the connections, and records the rest as what it is; a store that is
   * out of reach gets the grace time too, while heartbeats continue.
   */
  public void close() {
    claimLoop.stop();
    UninterruptedWaits.join(claimThread, THREAD_PATIENCE);
    dispatcher.close();
    boolean ended = dispatcher.await(assembly.config.processing().shutdownTimeout());
    assembly.transport.close();
    if (!ended && !dispatcher.await(SOCKET_PATIENCE)) {
      dispatcher.abort();
    }
    batcher.stop();
    UninterruptedWaits.join(recorderThread, THREAD_PATIENCE);
    maintenanceLoop.stop();
    UninterruptedWaits.join(maintenanceThread, THREAD_PATIENCE);
    boolean settled = assembly.recorder.flushWithin(assembly.config.processing().shutdownTimeout());
    heartbeatLoop.stop();
    UninterruptedWaits.join(heartbeatThread, THREAD_PATIENCE);
    assembly.leave(settled);
  }

  /** Returns the names of the threads that have ended. */
  public List<String> endedThreads() {
    return Stream.of(heartbeatThread, recorderThread, claimThread, maintenanceThread)
        .filter(thread -> thread.getState() == Thread.State.TERMINATED)
        .map(Thread::getName)
        .toList();
  }
}
