package dev.outbox.settings;

import java.time.Duration;

/**
 * How long what is settled is kept, counted from when it was; at most 36,500 days.
 *
 * @param log sent emails in the log, with their idempotency keys; default 30 days
 * @param failed failed emails with their content; default 30 days
 * @param invalid invalid emails with their content; default 30 days
 * @param sentContent the content of sent emails; default zero, which drops it at once
 */
public record RetentionSettings(
    Duration log, Duration failed, Duration invalid, Duration sentContent) {

  private static final Duration LONGEST = Duration.ofDays(36_500);

  /** Thirty days each, and no content of sent emails. */
  public static final RetentionSettings DEFAULT =
      new RetentionSettings(
          Duration.ofDays(30), Duration.ofDays(30), Duration.ofDays(30), Duration.ZERO);

  /** Rejects a time that is negative or longer than 36,500 days. */
  public RetentionSettings {
    check("log", log);
    check("failed", failed);
    check("invalid", invalid);
    check("sentContent", sentContent);
  }

  /** Returns the same with another time for sent emails in the log. */
  public RetentionSettings log(Duration time) {
    return new RetentionSettings(time, failed, invalid, sentContent);
  }

  /** Returns the same with another time for failed emails. */
  public RetentionSettings failed(Duration time) {
    return new RetentionSettings(log, time, invalid, sentContent);
  }

  /** Returns the same with another time for invalid emails. */
  public RetentionSettings invalid(Duration time) {
    return new RetentionSettings(log, failed, time, sentContent);
  }

  /** Returns the same with another time for the content of sent emails. */
  public RetentionSettings sentContent(Duration time) {
    return new RetentionSettings(log, failed, invalid, time);
  }

  private static void check(String name, Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException(name + ": below zero: " + value);
    }
    if (value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "%s: must be at most %d days, is %s".formatted(name, LONGEST.toDays(), value));
    }
  }
}
