package dev.outbox.smtp;

import dev.outbox.email.RecipientResult;
import dev.outbox.email.RecipientResult.Status;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.SendPermit;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/** The way to one relay: its connections, its health and its share. Safe for many threads. */
final class RelayLine {

  private static final Duration A_MOMENT = Duration.ofSeconds(1);
  private static final Duration TURN_PATIENCE = Duration.ofSeconds(10);

  private final String name;
  private final ConnectionPool pool;
  private final RelayHealth health;
  private final EmailRate rate;
  private volatile boolean closed;

  RelayLine(SmtpRelay relay, LongSupplier nanos, Runnable beforeConnect) {
    this.name = relay.host() + ":" + relay.port();
    this.pool = new ConnectionPool(relay, beforeConnect);
    this.health = new RelayHealth(name, nanos);
    this.rate = new EmailRate(relay.limits().emailsPerSecond(), nanos);
  }

  /**
   * What came of an email here.
   *
   * @param result for the outbox
   * @param elsewhere whether the next relay may be tried instead
   */
  record Outcome(DeliveryResult result, boolean elsewhere) {}

  /** Returns where it leads, for people. */
  String name() {
    return name;
  }

  /** Returns how many of the emails wanted could go now. */
  int open(int wanted) {
    return rate.open(health.open(wanted));
  }

  boolean rests() {
    return health.open(1) == 0;
  }

  Outcome deliver(Envelope envelope, WireMessage message, SendPermit permit) {
    RelayHealth.Pass pass = health.enter();
    if (pass == null) {
      return new Outcome(postponed(health.restLeft(), "relay " + name + " rests"), true);
    }
    if (!rate.take()) {
      health.toldNothing(pass);
      return new Outcome(postponed(rate.turn(), "relay " + name + " has had its share"), false);
    }
    try {
      if (!pool.enter(TURN_PATIENCE)) {
        health.toldNothing(pass);
        return new Outcome(
            postponed(A_MOMENT, "every connection to relay " + name + " is busy"), false);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      health.toldNothing(pass);
      return new Outcome(new DeliveryResult.Withheld(), false);
    }
    try {
      return judged(pass, envelope, attempt(envelope, message, permit));
    } catch (TroubleException e) {
      return judged(pass, envelope, new Attempt.Troubled(e.trouble(), List.of(), false));
    } catch (RuntimeException | Error e) {
      // Whatever it was, the relay must not wait for ever for the one who tried it.
      health.toldNothing(pass);
      throw e;
    } finally {
      pool.leave();
    }
  }

  private Attempt attempt(Envelope envelope, WireMessage message, SendPermit permit)
      throws TroubleException {
    long end = pool.endOfDelivery();
    ConnectionPool.Lent lent = pool.take(end);
    Attempt attempt = attempt(lent, envelope, message, permit);
    if (lent.usedBefore() && isStale(attempt) && !closed) {
      // It had gone stale: nothing of that is the email's, or says much about the relay.
      attempt = attempt(pool.takeNew(end), envelope, message, permit);
    }
    return attempt;
  }

  private Attempt attempt(
      ConnectionPool.Lent lent, Envelope envelope, WireMessage message, SendPermit permit) {
    MailTransaction talk = new MailTransaction(lent.connection(), envelope, message, permit);
    boolean kept = false;
    try {
      Attempt attempt = talk.run();
      kept = talk.isReusable();
      return attempt;
    } finally {
      if (kept) {
        pool.giveBack(lent.connection());
      } else {
        pool.drop(lent.connection());
      }
    }
  }

  private static boolean isStale(Attempt attempt) {
    return attempt instanceof Attempt.Lost
        || (attempt instanceof Attempt.Troubled troubled && troubled.stale());
  }

  private Outcome judged(RelayHealth.Pass pass, Envelope envelope, Attempt attempt) {
    if (closed && !(attempt instanceof Attempt.Settled)) {
      health.toldNothing(pass);
      return new Outcome(new DeliveryResult.Withheld(), false);
    }
    if (attempt instanceof Attempt.Settled settled) {
      return settled(pass, settled);
    }
    if (attempt instanceof Attempt.Lost lost && lost.inMessage()) {
      // The relay was there until this message came; an email that scares it must not go on for
      // ever, nor stop the others.
      health.toldNothing(pass);
      return new Outcome(allOpen(envelope), false);
    }
    Attempt.Troubled troubled =
        attempt instanceof Attempt.Troubled known ? known : gone((Attempt.Lost) attempt);
    health.troubled(pass, troubled.trouble());
    Trouble trouble = troubled.trouble();
    return new Outcome(
        new DeliveryResult.Postponed(
            health.restLeft(),
            "relay " + name + ": " + trouble.reason(),
            trouble.response(),
            troubled.recipients()),
        troubled.recipients().isEmpty());
  }

  private Outcome settled(RelayHealth.Pass pass, Attempt.Settled settled) {
    if (settled.trouble() != null) {
      health.troubled(pass, settled.trouble());
    } else if (settled.result() instanceof DeliveryResult.Answered) {
      health.succeeded(pass);
    } else {
      health.toldNothing(pass);
    }
    return new Outcome(settled.result(), false);
  }

  private static Attempt.Troubled gone(Attempt.Lost lost) {
    Trouble trouble = Trouble.unreachable(lost.step(), "the connection ended");
    return new Attempt.Troubled(trouble, List.of(), false);
  }

  private static DeliveryResult allOpen(Envelope envelope) {
    return new DeliveryResult.Answered(
        envelope.recipients().stream()
            .map(each -> new RecipientResult(each.email(), Status.OPEN, null))
            .toList(),
        null);
  }

  private static DeliveryResult postponed(Duration delay, String reason) {
    return new DeliveryResult.Postponed(delay, reason, null);
  }

  void tidy() {
    pool.tidy();
  }

  void close() {
    closed = true;
    pool.close();
  }
}
