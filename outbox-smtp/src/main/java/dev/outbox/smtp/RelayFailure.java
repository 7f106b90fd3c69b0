package dev.outbox.smtp;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Why a relay is of no use now, for any email.
 *
 * @param kind which decides how long it rests
 * @param reason in our words, nothing personal in it
 * @param response the relay's words, or null
 */
record RelayFailure(Kind kind, String reason, @Nullable String response) {

  /** The kinds, with their first and their longest rest. */
  enum Kind {
    /** It asked us to come back later. */
    SLOW_DOWN(Duration.ofSeconds(5), Duration.ofMinutes(5)),
    /** It was not there, or went away. */
    UNREACHABLE(Duration.ofSeconds(1), Duration.ofMinutes(1)),
    /** It does not want us; an operator has to look. */
    REFUSED_US(Duration.ofSeconds(30), Duration.ofMinutes(10));

    private final Duration first;
    private final Duration longest;

    Kind(Duration first, Duration longest) {
      this.first = first;
      this.longest = longest;
    }

    /** Returns the rest after so many troubles in a row; each is twice as long. */
    Duration openPeriod(int streak) {
      Duration rest = first.multipliedBy(1L << Math.min(streak - 1, 20));
      return rest.compareTo(longest) > 0 ? longest : rest;
    }
  }

  static RelayFailure of(SmtpStep step, ReplyClass replyClass, SmtpReply reply) {
    String reason = "the relay answered " + reply + " at " + step;
    return switch (replyClass) {
      case SLOW_DOWN -> new RelayFailure(Kind.SLOW_DOWN, reason, reply.text());
      case REFUSED_US -> new RelayFailure(Kind.REFUSED_US, reason, reply.text());
      default -> new RelayFailure(Kind.UNREACHABLE, "no usable answer at " + step, reply.text());
    };
  }

  static RelayFailure unreachable(SmtpStep step, String what) {
    return new RelayFailure(Kind.UNREACHABLE, what + " at " + step, null);
  }

  /** Shows nothing of the relay's words. */
  @Override
  public String toString() {
    return kind + ": " + reason;
  }
}
