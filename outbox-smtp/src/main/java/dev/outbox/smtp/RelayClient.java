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
final class RelayClient {

  private static final Duration A_MOMENT = Duration.ofSeconds(1);
  private static final Duration TURN_PATIENCE = Duration.ofSeconds(10);

  private final String name;
  private final ConnectionPool pool;
  private final RelayCircuitBreaker circuitBreaker;
  private final RateLimiter rate;
  private volatile boolean closed;

  RelayClient(SmtpRelay relay, LongSupplier nanos, Runnable beforeConnect) {
    this.name = relay.host() + ":" + relay.port();
    this.pool = new ConnectionPool(relay, beforeConnect);
    this.circuitBreaker = new RelayCircuitBreaker(name, nanos);
    this.rate = new RateLimiter(relay.limits().emailsPerSecond(), nanos);
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
    return rate.open(circuitBreaker.open(wanted));
  }

  boolean isOpen() {
    return circuitBreaker.open(1) == 0;
  }

  Outcome deliver(Envelope envelope, DotStuffedMessage message, SendPermit permit) {
    RelayCircuitBreaker.Ticket pass = circuitBreaker.enter();
    if (pass == null) {
      return new Outcome(
          postponed(circuitBreaker.timeUntilRetry(), "relay " + name + ": circuit open"), true);
    }
    if (!rate.take()) {
      circuitBreaker.toldNothing(pass);
      return new Outcome(postponed(rate.turn(), "relay " + name + " has had its share"), false);
    }
    try {
      if (!pool.enter(TURN_PATIENCE)) {
        circuitBreaker.toldNothing(pass);
        return new Outcome(
            postponed(A_MOMENT, "every connection to relay " + name + " is busy"), false);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      circuitBreaker.toldNothing(pass);
      return new Outcome(new DeliveryResult.NotSent(), false);
    }
    try {
      return classify(pass, envelope, attempt(envelope, message, permit));
    } catch (RelayFailureException e) {
      return classify(
          pass, envelope, new DeliveryAttempt.RelayFailed(e.trouble(), List.of(), false));
    } catch (RuntimeException | Error e) {
      // Whatever it was, the relay must not wait for ever for the one who tried it.
      circuitBreaker.toldNothing(pass);
      throw e;
    } finally {
      pool.leave();
    }
  }

  private DeliveryAttempt attempt(Envelope envelope, DotStuffedMessage message, SendPermit permit)
      throws RelayFailureException {
    long end = pool.endOfDelivery();
    ConnectionPool.Lent lent = pool.take(end);
    DeliveryAttempt attempt = attempt(lent, envelope, message, permit);
    if (lent.usedBefore() && isStale(attempt) && !closed) {
      // It had gone stale: nothing of that is the email's, or says much about the relay.
      attempt = attempt(pool.takeNew(end), envelope, message, permit);
    }
    return attempt;
  }

  private DeliveryAttempt attempt(
      ConnectionPool.Lent lent, Envelope envelope, DotStuffedMessage message, SendPermit permit) {
    MailTransaction talk = new MailTransaction(lent.connection(), envelope, message, permit);
    boolean kept = false;
    try {
      DeliveryAttempt attempt = talk.run();
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

  private static boolean isStale(DeliveryAttempt attempt) {
    return attempt instanceof DeliveryAttempt.ConnectionLost
        || (attempt instanceof DeliveryAttempt.RelayFailed troubled && troubled.stale());
  }

  private Outcome classify(
      RelayCircuitBreaker.Ticket pass, Envelope envelope, DeliveryAttempt attempt) {
    if (closed && !(attempt instanceof DeliveryAttempt.Finished)) {
      circuitBreaker.toldNothing(pass);
      return new Outcome(new DeliveryResult.NotSent(), false);
    }
    if (attempt instanceof DeliveryAttempt.Finished settled) {
      return settled(pass, settled);
    }
    if (attempt instanceof DeliveryAttempt.ConnectionLost lost && lost.inMessage()) {
      // The relay was there until this message came; an email that scares it must not go on for
      // ever, nor stop the others.
      circuitBreaker.toldNothing(pass);
      return new Outcome(allOpen(envelope), false);
    }
    DeliveryAttempt.RelayFailed troubled =
        attempt instanceof DeliveryAttempt.RelayFailed known
            ? known
            : gone((DeliveryAttempt.ConnectionLost) attempt);
    circuitBreaker.troubled(pass, troubled.trouble());
    RelayFailure failure = troubled.trouble();
    return new Outcome(
        new DeliveryResult.Postponed(
            circuitBreaker.timeUntilRetry(),
            "relay " + name + ": " + failure.reason(),
            failure.response(),
            troubled.recipients()),
        troubled.recipients().isEmpty());
  }

  private Outcome settled(RelayCircuitBreaker.Ticket pass, DeliveryAttempt.Finished settled) {
    if (settled.trouble() != null) {
      circuitBreaker.troubled(pass, settled.trouble());
    } else if (settled.result() instanceof DeliveryResult.Answered) {
      circuitBreaker.succeeded(pass);
    } else {
      circuitBreaker.toldNothing(pass);
    }
    return new Outcome(settled.result(), false);
  }

  private static DeliveryAttempt.RelayFailed gone(DeliveryAttempt.ConnectionLost lost) {
    RelayFailure failure = RelayFailure.unreachable(lost.step(), "the connection ended");
    return new DeliveryAttempt.RelayFailed(failure, List.of(), false);
  }

  private static DeliveryResult allOpen(Envelope envelope) {
    return new DeliveryResult.Answered(
        envelope.recipients().stream()
            .map(each -> new RecipientResult(each.email(), Status.PENDING, null))
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
