package dev.outbox.verification.chaos;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Why the outcome of a delivery may be unknown to the library: what the schedule did between the
 * final dot and the commit of the result.
 */
final class Excuses {

  /** Why an email may be delivered twice after the kill of the node that delivered it first. */
  static final String KILLED = "its worker was killed";

  /** Connections are made again, and tables unlocked, a little later than the fault ends. */
  private static final Duration AFTERMATH = Duration.ofSeconds(5);

  private static final Duration BLINK = Duration.ofMillis(500);

  private final Times times;
  private final List<Happening> faults;
  private final List<Stalls.Stall> stalls;

  Excuses(Evidence evidence) {
    this.times = evidence.times();
    this.faults = evidence.faults();
    this.stalls = evidence.stalls();
  }

  /**
   * Returns what came between a delivery and its commit.
   *
   * @param next when the email was given out again, or the end of all time
   */
  Optional<String> of(Reception first, Instant next) {
    if (first.fault() != null) {
      return Optional.of("relay: " + first.fault());
    }
    Instant dot = first.dot();
    Instant from = dot.minus(BLINK);
    for (Happening fault : faults) {
      Optional<String> excuse = of(fault, first.node(), from, next);
      if (excuse.isPresent()) {
        return excuse;
      }
    }
    return stalls.stream()
        .filter(stall -> stall.concerns(first.node()) && stall.overlaps(from, next))
        .findFirst()
        .map(stall -> "its worker got no processor for half a lease");
  }

  /** Returns whether the store could not be used by a node while one of its sends failed. */
  boolean mayFail(FailedSends.FailedSend send) {
    Instant from = send.from().minus(AFTERMATH);
    return faults.stream()
            .filter(fault -> fault.kind().hurtsTheDatabase())
            .filter(fault -> fault.node() == null || fault.isOf(send.node()))
            .anyMatch(fault -> fault.overlaps(from, send.to()))
        || stalls.stream()
            .anyMatch(stall -> stall.concerns(send.node()) && stall.overlaps(from, send.to()));
  }

  /** Returns why a node may have sent what another one had already. */
  Optional<String> ofLate(Reception late, Instant since) {
    return faults.stream()
        .filter(fault -> fault.isOf(late.node()) && isTooLong(fault))
        .filter(fault -> fault.overlaps(since.minus(times.length()), late.dot()))
        .findFirst()
        .map(fault -> fault.kind() + " before the final dot");
  }

  private Optional<String> of(Happening fault, String node, Instant from, Instant next) {
    if (fault.kind() == FaultKind.RELAY_CUT
        && fault.overlaps(from, from.plus(times.finalReply()).plus(BLINK))) {
      return Optional.of("relay: connection cut after the final dot");
    }
    if (!fault.isOf(node)) {
      return Optional.empty();
    }
    if (fault.kind().kills() && fault.overlaps(from, next) && isUncommitted(from, fault.from())) {
      return Optional.of(KILLED);
    }
    if (fault.kind().freezes() && fault.overlaps(from, next)) {
      return Optional.of("its worker was frozen past the lease");
    }
    if (isTooLong(fault)
        && fault.overlaps(from, next)
        && !fault.from().isAfter(from.plus(times.length().multipliedBy(2)))) {
      return Optional.of("its worker was cut off from the database past the lease");
    }
    return Optional.empty();
  }

  /** A result is written soon after the final dot, unless something is wrong with the database. */
  private boolean isUncommitted(Instant from, Instant kill) {
    return !kill.isAfter(from.plus(times.committed()))
        || faults.stream()
            .anyMatch(fault -> fault.kind().hurtsTheDatabase() && fault.overlaps(from, kill));
  }

  /** A node that cannot say that it lives for a good part of the lease may be taken for dead. */
  private boolean isTooLong(Happening fault) {
    return (fault.kind().cutsOff() || fault.kind().freezes())
        && fault.length().compareTo(times.length().minusSeconds(1)) >= 0;
  }

  /** Returns when something really happened that was written down by a clock that had jumped. */
  Instant real(Instant written) {
    Instant later = written.plus(JumpingClock.HOUR);
    return faults.stream()
            .anyMatch(
                fault ->
                    fault.kind() == FaultKind.CLOCK_JUMP
                        && fault.overlaps(later.minus(BLINK), later.plus(BLINK)))
        ? later
        : written;
  }

  /** Returns whether a run of a node had a reason to be taken for dead before a moment. */
  boolean mayBeDead(String run, Instant at) {
    return faults.stream().anyMatch(fault -> fault.isOf(run) && isDeadly(fault, at))
        || stalls.stream().anyMatch(stall -> stall.concerns(run) && stall.from().isBefore(at));
  }

  private boolean isDeadly(Happening fault, Instant at) {
    return fault.from().isBefore(at)
        && (fault.kind().kills() || fault.kind() == FaultKind.CLOSE_WORKER || isTooLong(fault));
  }

  /** Returns all kills of nodes that send. */
  List<Happening> kills() {
    List<Happening> kills = new ArrayList<>(faults);
    kills.removeIf(fault -> !fault.kind().kills() || fault.kind() == FaultKind.KILL_PRODUCER);
    return kills;
  }
}
