package dev.outbox.internal;

import dev.outbox.email.State;
import dev.outbox.settings.ProcessorSettings;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.Report;
import dev.outbox.store.UnknownOutcome;
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
final class Crew {

  private static final int INTAKE_WORKERS = 2;
  private static final int INTAKE_GROUP = 250;
  private static final String CLOSING = "the node is closing";

  private final Workshop workshop;
  private final Consumer<Completion> results;
  private final Jobs jobs;
  private final WorkerPool intake;
  private final WorkerPool delivery;
  private final WorkerPool calls;
  private final Switchboard switchboard;
  private final UnrecordedDeliveries unrecorded;
  private final Outage outage;
  private final int groupSize;

  /** How many emails may be on the wire at once under a policy that holds unknown outcomes. */
  private final Semaphore wire;

  private volatile boolean closing;

  Crew(
      Workshop workshop,
      Consumer<Completion> results,
      Jobs jobs,
      UnrecordedDeliveries unrecorded,
      Outage outage,
      ProcessorSettings settings,
      UnknownOutcome policy,
      ThreadFactory threads) {
    this.workshop = workshop;
    this.results = results;
    this.jobs = jobs;
    this.unrecorded = unrecorded;
    this.outage = outage;
    this.intake = new WorkerPool(INTAKE_WORKERS, threads);
    this.delivery = new WorkerPool(settings.workers(), threads);
    this.calls = new WorkerPool(settings.callbackWorkers(), threads);
    this.switchboard =
        new Switchboard(settings.callbackWorkers(), job -> start(calls, job), jobs.nanos());
    boolean holds = policy == UnknownOutcome.HOLD;
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
          deliver(workshop.reopen(claim, claimedAt));
        }
        default -> call(claim);
      }
    }
    for (int start = 0; start < fresh.size(); start += groupSize) {
      List<Claim> group = fresh.subList(start, Math.min(start + groupSize, fresh.size()));
      start(intake, new IntakeJob(group, claimedAt));
    }
  }

  private void deliver(Prepared email) {
    start(delivery, new DeliveryJob(email));
  }

  /** Starts a job; if its pool takes no more because the node closes, its emails are released. */
  private static void start(WorkerPool pool, Job job) {
    try {
      pool.execute(job);
    } catch (RejectedExecutionException e) {
      job.abandon(CLOSING);
    }
  }

  private void call(Claim claim) {
    CallJob job = new CallJob(claim);
    switchboard
        .take(job.receiver, job)
        .ifPresent(
            wait ->
                results.accept(
                    Completion.released(
                        claim, wait, Report.of("its receiver is slow: put back until its turn"))));
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
    switchboard.clear().forEach(job -> job.abandon(CLOSING));
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
    jobs.expire(-1);
  }

  /** Renders a group of emails and takes them to the wire's edge. */
  private final class IntakeJob extends Job {
    private final List<Claim> group;
    private final long claimedAt;
    private volatile int current;

    IntakeJob(List<Claim> group, long claimedAt) {
      super(jobs, intake);
      this.group = List.copyOf(group);
      this.claimedAt = claimedAt;
    }

    @Override
    void work() {
      List<Prepared> rendered = new ArrayList<>();
      List<Completion> settled = new ArrayList<>();
      for (int i = 0; i < group.size(); i++) {
        Claim claim = group.get(i);
        current = i;
        if (closing) {
          abandon(CLOSING);
        }
        if (isSettled()) {
          return;
        }
        Intake.Taken taken = workshop.takeIn(claim, claimedAt);
        if (taken instanceof Intake.Taken.Ready ready) {
          rendered.add(ready.prepared());
        } else if (taken instanceof Intake.Taken.Settled done) {
          settled.add(done.completion());
        }
      }
      if (settle()) {
        settled.forEach(results);
        send(rendered);
      }
    }

    private void send(List<Prepared> rendered) {
      if (rendered.isEmpty()) {
        return;
      }
      try {
        wire.acquire(rendered.size());
      } catch (InterruptedException e) {
        String reason = closing ? CLOSING : "no delivery worker was free in time";
        rendered.forEach(each -> results.accept(Workshop.released(each.claim(), reason)));
        return;
      }
      List<Prepared> standing = workshop.proceed(rendered, results);
      wire.release(rendered.size() - standing.size());
      standing.forEach(Crew.this::deliver);
    }

    @Override
    void release(String reason) {
      group.forEach(claim -> results.accept(Workshop.released(claim, reason)));
    }

    @Override
    void giveUp() {
      int stuck = current;
      for (int i = 0; i < group.size(); i++) {
        results.accept(
            i == stuck
                ? workshop.intakeOverdue(group.get(i))
                : Workshop.released(group.get(i), "another email's rendering did not end"));
      }
    }
  }

  /** Sends one email. */
  private final class DeliveryJob extends Job {
    private final Prepared email;

    DeliveryJob(Prepared email) {
      super(jobs, delivery);
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
        if (unrecorded.awaitStart(() -> closing || outage.isOn())) {
          starts();
          return true;
        }
        abandon(closing ? CLOSING : Workshop.UNREACHABLE);
      } catch (InterruptedException e) {
        abandon(closing ? CLOSING : "it was not started");
      }
      return false;
    }

    private void deliver() {
      if (isSettled()) {
        return;
      }
      Completion result = workshop.deliver(email);
      if (settle()) {
        done(result);
      } else if (result.to() == State.SENT) {
        // It was given up meanwhile, and did happen.
        unrecorded.add(email.claim(), result);
        results.accept(result);
      }
    }

    @Override
    void release(String reason) {
      done(Workshop.released(email.claim(), reason));
    }

    @Override
    void giveUp() {
      done(workshop.overdue(email));
    }

    private void done(Completion result) {
      unrecorded.add(email.claim(), result);
      results.accept(result);
      wire.release();
    }
  }

  /** Tells one host. */
  private final class CallJob extends Job {
    private final Claim claim;
    private final String receiver;

    CallJob(Claim claim) {
      super(jobs, calls);
      this.claim = claim;
      URI url = claim.email().callbackUrl();
      this.receiver = url == null ? "" : url.getHost() + ":" + url.getPort();
    }

    @Override
    void work() {
      try {
        call();
      } finally {
        switchboard.ended(receiver, this);
      }
    }

    private void call() {
      if (closing) {
        abandon(CLOSING);
        return;
      }
      Completion result = workshop.call(claim);
      if (settle()) {
        results.accept(result);
      }
    }

    @Override
    void release(String reason) {
      results.accept(Workshop.released(claim, reason));
    }

    @Override
    void giveUp() {
      results.accept(workshop.callOverdue(claim));
      switchboard.replace(receiver, this);
    }
  }
}
