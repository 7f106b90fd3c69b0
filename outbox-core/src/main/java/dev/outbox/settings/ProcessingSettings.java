package dev.outbox.settings;

import java.time.Duration;

/**
 * How much a node does at once, and how long it waits for what. No duration is longer than 365
 * days.
 *
 * @param workers how many emails are on the wire at once; default 8
 * @param callbackWorkers how many callbacks are under way at once; default 16, and three quarters
 *     of them for one receiver
 * @param claimBatchSize how many emails one claim takes at most; default 500
 * @param claimBatchBytes how much content one claim takes at most; default 32 MiB
 * @param maxInFlight how many emails the node holds at most; default 2,000
 * @param pollInterval how often the store is asked when nothing wakes the processor; default 500 ms
 * @param stageTimeout how long one email may be worked on in one stage; default 5 min
 * @param shutdownTimeout how long closing waits for emails on the wire, and then for a store that
 *     is out of reach with results still to be recorded; default 30 s
 * @param rollingUpgradePeriod how long an email that only a newer release can read is put back;
 *     default 10 min
 * @param maxUnrecordedAge no delivery starts while a delivery result of this node waits for longer
 *     than this to be recorded; default 100 ms
 * @param maxUnrecordedResults no delivery starts while this many delivery results of this node are
 *     not recorded; default 500
 */
public record ProcessingSettings(
    int workers,
    int callbackWorkers,
    int claimBatchSize,
    long claimBatchBytes,
    int maxInFlight,
    Duration pollInterval,
    Duration stageTimeout,
    Duration shutdownTimeout,
    Duration rollingUpgradePeriod,
    Duration maxUnrecordedAge,
    int maxUnrecordedResults) {

  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(365);

  /** What a node does that is not told otherwise. */
  public static final ProcessingSettings DEFAULT =
      new ProcessingSettings(
          8,
          16,
          500,
          32L << 20,
          2_000,
          Duration.ofMillis(500),
          Duration.ofMinutes(5),
          Duration.ofSeconds(30),
          Duration.ofMinutes(10),
          Duration.ofMillis(100),
          500);

  /** Refuses numbers with which nothing would ever happen, and durations out of range. */
  public ProcessingSettings {
    positive("workers", workers);
    positive("callbackWorkers", callbackWorkers);
    positive("claimBatchSize", claimBatchSize);
    positive("claimBatchBytes", claimBatchBytes);
    positive("maxInFlight", maxInFlight);
    between("pollInterval", SHORTEST, pollInterval);
    between("stageTimeout", SHORTEST, stageTimeout);
    between("shutdownTimeout", Duration.ZERO, shutdownTimeout);
    between("rollingUpgradePeriod", SHORTEST, rollingUpgradePeriod);
    between("maxUnrecordedAge", SHORTEST, maxUnrecordedAge);
    positive("maxUnrecordedResults", maxUnrecordedResults);
  }

  /** Returns the same with another number of workers. */
  public ProcessingSettings workers(int number) {
    return new ProcessingSettings(
        number,
        callbackWorkers,
        claimBatchSize,
        claimBatchBytes,
        maxInFlight,
        pollInterval,
        stageTimeout,
        shutdownTimeout,
        rollingUpgradePeriod,
        maxUnrecordedAge,
        maxUnrecordedResults);
  }

  /** Returns the same with another number of callbacks under way at once. */
  public ProcessingSettings callbackWorkers(int number) {
    return new ProcessingSettings(
        workers,
        number,
        claimBatchSize,
        claimBatchBytes,
        maxInFlight,
        pollInterval,
        stageTimeout,
        shutdownTimeout,
        rollingUpgradePeriod,
        maxUnrecordedAge,
        maxUnrecordedResults);
  }

  /** Returns the same with other bounds on what is held. */
  public ProcessingSettings claims(int size, long bytes, int held) {
    return new ProcessingSettings(
        workers,
        callbackWorkers,
        size,
        bytes,
        held,
        pollInterval,
        stageTimeout,
        shutdownTimeout,
        rollingUpgradePeriod,
        maxUnrecordedAge,
        maxUnrecordedResults);
  }

  /** Returns the same with another interval between two looks into the store. */
  public ProcessingSettings pollInterval(Duration interval) {
    return new ProcessingSettings(
        workers,
        callbackWorkers,
        claimBatchSize,
        claimBatchBytes,
        maxInFlight,
        interval,
        stageTimeout,
        shutdownTimeout,
        rollingUpgradePeriod,
        maxUnrecordedAge,
        maxUnrecordedResults);
  }

  /** Returns the same with another limit on the work on one email in one stage. */
  public ProcessingSettings stageTimeout(Duration limit) {
    return new ProcessingSettings(
        workers,
        callbackWorkers,
        claimBatchSize,
        claimBatchBytes,
        maxInFlight,
        pollInterval,
        limit,
        shutdownTimeout,
        rollingUpgradePeriod,
        maxUnrecordedAge,
        maxUnrecordedResults);
  }

  /** Returns the same with another patience at closing. */
  public ProcessingSettings shutdownTimeout(Duration grace) {
    return new ProcessingSettings(
        workers,
        callbackWorkers,
        claimBatchSize,
        claimBatchBytes,
        maxInFlight,
        pollInterval,
        stageTimeout,
        grace,
        rollingUpgradePeriod,
        maxUnrecordedAge,
        maxUnrecordedResults);
  }

  /** Returns the same with another patience with emails that only a newer release can read. */
  public ProcessingSettings rollingUpgradePeriod(Duration patience) {
    return new ProcessingSettings(
        workers,
        callbackWorkers,
        claimBatchSize,
        claimBatchBytes,
        maxInFlight,
        pollInterval,
        stageTimeout,
        shutdownTimeout,
        patience,
        maxUnrecordedAge,
        maxUnrecordedResults);
  }

  /** Returns the same with another limit on the age of delivery results that are not recorded. */
  public ProcessingSettings maxUnrecordedAge(Duration limit) {
    return new ProcessingSettings(
        workers,
        callbackWorkers,
        claimBatchSize,
        claimBatchBytes,
        maxInFlight,
        pollInterval,
        stageTimeout,
        shutdownTimeout,
        rollingUpgradePeriod,
        limit,
        maxUnrecordedResults);
  }

  /**
   * Returns the same with another limit on the number of delivery results that are not recorded. If
   * a node is killed, at most this many emails, and one for each worker, are delivered a second
   * time.
   */
  public ProcessingSettings maxUnrecordedResults(int limit) {
    return new ProcessingSettings(
        workers,
        callbackWorkers,
        claimBatchSize,
        claimBatchBytes,
        maxInFlight,
        pollInterval,
        stageTimeout,
        shutdownTimeout,
        rollingUpgradePeriod,
        maxUnrecordedAge,
        limit);
  }

  private static void between(String name, Duration shortest, Duration value) {
    if (value.compareTo(shortest) < 0 || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "%s: want %d ms to %d days, is %s"
              .formatted(name, shortest.toMillis(), LONGEST.toDays(), value));
    }
  }

  private static void positive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + ": must be positive, is " + value);
    }
  }
}
