package dev.outbox.internal.run;

import dev.outbox.email.State;
import dev.outbox.monitoring.NodeStatus;
import dev.outbox.monitoring.OutboxHealth;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The health of a node at one moment, from what its parts remember. */
public record NodeHealth(
    boolean isUp,
    NodeStatus nodeStatus,
    boolean isPaused,
    Optional<Duration> lastHeartbeat,
    Optional<Duration> unreachableFor,
    int unrecordedResults,
    List<String> endedThreads,
    Set<State> failingClaims,
    Optional<Duration> backlog)
    implements OutboxHealth {

  /**
   * How long after it was due a heartbeat may be unanswered. With an interval of 2 s, an
   * unreachable store is then noticed within 3 s.
   */
  private static final long MARGIN = Duration.ofMillis(750).toNanos();

  /** Returns the health of a node that only stores emails. */
  public static NodeHealth storing() {
    return new NodeHealth(
        true,
        NodeStatus.STOPPED,
        false,
        Optional.empty(),
        Optional.empty(),
        0,
        List.of(),
        Set.of(),
        Optional.empty());
  }

  /**
   * Returns the health of a node that sends.
   *
   * @param running whether its threads should run
   */
  public static NodeHealth of(
      NodeAssembly assembly,
      NodeStatus activity,
      boolean running,
      boolean paused,
      List<String> ended) {
    long now = assembly.nanos.getAsLong();
    Optional<Duration> unreachable = unreachableFor(assembly, running, now);
    // A paused node does not claim: what it knows is from before the pause.
    Set<State> failing = paused ? Set.of() : assembly.claims.failing();
    return new NodeHealth(
        unreachable.isEmpty() && ended.isEmpty() && failing.isEmpty(),
        activity,
        paused,
        age(assembly.lease.answeredAt(), now),
        unreachable,
        assembly.recorder.keptCount(),
        ended,
        failing,
        assembly.maintenance.backlog());
  }

  /** Returns for how long the store does not answer: as declared, or by the silence so far. */
  private static Optional<Duration> unreachableFor(
      NodeAssembly assembly, boolean running, long now) {
    Optional<Duration> outage = age(assembly.availability.beganAt(), now);
    long silence = now - assembly.heartbeat.answeredAt();
    boolean isSilent =
        running && silence > assembly.config.lease().heartbeatInterval().toNanos() + MARGIN;
    if (!isSilent) {
      return outage;
    }
    Duration silent = Duration.ofNanos(silence);
    return outage.filter(age -> age.compareTo(silent) > 0).or(() -> Optional.of(silent));
  }

  private static Optional<Duration> age(OptionalLong time, long now) {
    return time.isEmpty()
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(Math.max(0, now - time.getAsLong())));
  }
}
