package dev.outbox.internal.run;

import dev.outbox.email.State;
import dev.outbox.internal.node.StoreAvailability;
import dev.outbox.internal.node.UnrecordedDeliveries;
import dev.outbox.internal.stage.IntakeStage;
import dev.outbox.internal.stage.PreparedEmail;
import dev.outbox.internal.stage.Stages;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.settings.UnknownOutcomePolicy;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.OutcomeDetails;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/**
 * The pools in which claimed emails are worked on: groups are taken in by few threads, deliveries
 * and callbacks are spread over many.
 */
final class Dispatcher {

  private static final int INTAKE_WORKERS = 2;
  private static final int INTAKE_GROUP = 250;
  private static final String CLOSING = "the node is closing";

  private final Stages stages;
  private final Consumer<Completion> results;
  private final RunningTasks tasks;
  private final WorkerPool intake;
  private final WorkerPool delivery;
  private final WorkerPool calls;
  private final ReceiverBulkhead bulkhead;
  private final UnrecordedDeliveries unrecorded;
  private final StoreAvailability availability;
  private final int groupSize;

  /** How many emails may be on the wire at once under a policy that holds unknown outcomes. */
  private final Semaphore wire;

  private volatile boolean closing;

  Dispatcher(
      Stages stages,
      Consumer<Completion> results,
      RunningTasks tasks,
      UnrecordedDeliveries unrecorded,
      StoreAvailability availability,
      ProcessingSettings settings,
      UnknownOutcomePolicy policy,
      ThreadFactory threads) {
    this.stages = stages;
    this.results = results;
    this.tasks = tasks;
    this.unrecorded = unrecorded;
    this.availability = availability;
    this.intake = new WorkerPool(INTAKE_WORKERS, threads);
    this.delivery = new WorkerPool(settings.workers(), threads);
    this.calls = new WorkerPool(settings.callbackWorkers(), threads);
    this.bulkhead =
        new ReceiverBulkhead(settings.callbackWorkers(), task -> start(calls, task), tasks.nanos());
    boolean holds = policy == UnknownOutcomePolicy.HOLD;
    this.groupSize = holds ? settings.workers() : INTAKE_GROUP;
    this.wire = new Semaphore(holds ? settings.workers() : Integer.MAX_VALUE);
  }

  /**
   * Starts work on emails that were claimed together.
   *
   * @param claimedAt when they were asked for, by the monotonic clock
   */
  void dispatch(List<Claim> claims, long claimedAt) {
    List<Claim> fresh = new ArrayList<>();
    for (Claim claim : claims) {
      switch (claim.state()) {
        case INTAKING -> fresh.add(claim);
        case PROCESSING -> {
          wire.acquireUninterruptibly();
          deliver(stages.reopen(claim, claimedAt));
        }
        default -> call(claim);
      }
    }
    for (int start = 0; start < fresh.size(); start += groupSize) {
      List<Claim> group = fresh.subList(start, Math.min(start + groupSize, fresh.size()));
      start(intake, new IntakeTask(group, claimedAt));
    }
  }

  private void deliver(PreparedEmail email) {
    start(delivery, new DeliveryTask(email));
  }

  /** Starts a job; if its pool takes no more because the node closes, its emails are released. */
  private static void start(WorkerPool pool, StageTask task) {
    try {
      pool.execute(task);
    } catch (RejectedExecutionException e) {
      task.releaseIfUnfinished(CLOSING);
    }
  }

  private void call(Claim claim) {
    CallbackTask job = new CallbackTask(claim);
    bulkhead
        .take(job.receiver, job)
        .ifPresent(
            wait ->
                results.accept(
                    Completion.released(
                        claim,
                        wait,
                        OutcomeDetails.of("its receiver is slow: released until its turn"))));
  }

  /** Returns how many emails more may go to the wire's edge. */
  int wireRoom() {
    return wire.availablePermits();
  }

  /** Starts nothing any more; what is queued is given back. */
  void close() {
    closing = true;
    unrecorded.wake();
    intake.shutdown();
    bulkhead.clear().forEach(task -> task.releaseIfUnfinished(CLOSING));
    calls.shutdown();
  }

  /** Waits until everything that was started has ended; returns whether it has. */
  boolean await(Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    boolean takenIn = intake.await(end);
    boolean called = calls.await(end);
    delivery.shutdown();
    boolean delivered = delivery.await(end);
    return takenIn && called && delivered;
  }

  /** Interrupts what has not ended, and settles it as it is. */
  void abort() {
    tasks.expire(-1);
  }

  /** Renders a group of emails and takes them to the wire's edge. */
  private final class IntakeTask extends StageTask {
    private final List<Claim> group;
    private final long claimedAt;
    private volatile int current;

    IntakeTask(List<Claim> group, long claimedAt) {
      super(tasks, intake);
      this.group = List.copyOf(group);
      this.claimedAt = claimedAt;
    }

    @Override
    void work() {
      List<PreparedEmail> rendered = new ArrayList<>();
      List<Completion> settled = new ArrayList<>();
      for (int i = 0; i < group.size(); i++) {
        Claim claim = group.get(i);
        current = i;
        if (closing) {
          releaseIfUnfinished(CLOSING);
        }
        if (isSettled()) {
          return;
        }
        IntakeStage.Result taken = stages.takeIn(claim, claimedAt);
        if (taken instanceof IntakeStage.Result.Prepared ready) {
          rendered.add(ready.prepared());
        } else if (taken instanceof IntakeStage.Result.Done done) {
          settled.add(done.completion());
        }
      }
      if (finish()) {
        settled.forEach(results);
        send(rendered);
      }
    }

    private void send(List<PreparedEmail> rendered) {
      if (rendered.isEmpty()) {
        return;
      }
      try {
        wire.acquire(rendered.size());
      } catch (InterruptedException e) {
        String reason = closing ? CLOSING : "no delivery worker was free in time";
        rendered.forEach(each -> results.accept(Stages.released(each.claim(), reason)));
        return;
      }
      List<PreparedEmail> standing = stages.proceed(rendered, results);
      wire.release(rendered.size() - standing.size());
      standing.forEach(Dispatcher.this::deliver);
    }

    @Override
    void release(String reason) {
      group.forEach(claim -> results.accept(Stages.released(claim, reason)));
    }

    @Override
    void timeOut() {
      int stuck = current;
      for (int i = 0; i < group.size(); i++) {
        results.accept(
            i == stuck
                ? stages.intakeOverdue(group.get(i))
                : Stages.released(group.get(i), "another email's rendering did not end"));
      }
    }
  }

  /** Sends one email. */
  private final class DeliveryTask extends StageTask {
    private final PreparedEmail email;

    DeliveryTask(PreparedEmail email) {
      super(tasks, delivery);
      this.email = email;
    }

    @Override
    void work() {
      if (!mayStart()) {
        return;
      }
      try {
        deliver();
      } finally {
        unrecorded.ended();
      }
    }

    /** Waits while too many delivery results are unrecorded; gives the email back if it cannot. */
    private boolean mayStart() {
      waits();
      try {
        if (unrecorded.awaitStart(() -> closing || availability.isUnavailable())) {
          starts();
          return true;
        }
        releaseIfUnfinished(closing ? CLOSING : Stages.UNREACHABLE);
      } catch (InterruptedException e) {
        releaseIfUnfinished(closing ? CLOSING : "it was not started");
      }
      return false;
    }

    private void deliver() {
      if (isSettled()) {
        return;
      }
      Completion result = stages.deliver(email);
      if (finish()) {
        done(result);
      } else if (result.to() == State.SENT) {
        // It was given up meanwhile, and did happen.
        unrecorded.add(email.claim(), result);
        results.accept(result);
      }
    }

    @Override
    void release(String reason) {
      done(Stages.released(email.claim(), reason));
    }

    @Override
    void timeOut() {
      done(stages.overdue(email));
    }

    private void done(Completion result) {
      unrecorded.add(email.claim(), result);
      results.accept(result);
      wire.release();
    }
  }

  /** Tells one host. */
  private final class CallbackTask extends StageTask {
    private final Claim claim;
    private final String receiver;

    CallbackTask(Claim claim) {
      super(tasks, calls);
      this.claim = claim;
      URI url = claim.email().callbackUrl();
      this.receiver = url == null ? "" : url.getHost() + ":" + url.getPort();
    }

    @Override
    void work() {
      try {
        call();
      } finally {
        bulkhead.ended(receiver, this);
      }
    }

    private void call() {
      if (closing) {
        releaseIfUnfinished(CLOSING);
        return;
      }
      Completion result = stages.call(claim);
      if (finish()) {
        results.accept(result);
      }
    }

    @Override
    void release(String reason) {
      results.accept(Stages.released(claim, reason));
    }

    @Override
    void timeOut() {
      results.accept(stages.callOverdue(claim));
      bulkhead.replace(receiver, this);
    }
  }
}
