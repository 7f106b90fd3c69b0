package dev.outbox.internal;

import dev.outbox.email.Bytes;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.Headline;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.Report;
import dev.outbox.store.StoredContent;
import dev.outbox.store.StoredLimits;
import dev.outbox.template.TemplateException;
import dev.outbox.template.TemplateNotFoundException;
import dev.outbox.template.Templates;
import dev.outbox.transport.Message;
import dev.outbox.transport.Transport;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads, renders and composes one claimed email. */
final class Intake {

  private final Rendering rendering;
  private final Transport transport;
  private final PutBack putBack;

  Intake(@Nullable Templates templates, Transport transport, PutBack putBack) {
    this.rendering = new Rendering(templates);
    this.transport = transport;
    this.putBack = putBack;
  }

  /** What intake made of an email. */
  sealed interface Taken {
    /** It can go to the wire. */
    record Ready(Prepared prepared) implements Taken {}

    /** It cannot, and this is to be recorded. */
    record Settled(Completion completion) implements Taken {}
  }

  /**
   * Takes in an email; whatever goes wrong is a result too.
   *
   * @param claimedAt when it was claimed, by the monotonic clock
   */
  Taken take(Claim claim, long claimedAt) {
    try {
      if (claim.expiresIn().isNegative() || claim.expiresIn().isZero()) {
        return new Taken.Settled(
            Completion.failed(
                claim, FailureCode.EXPIRED, Report.of("too old when it was taken in"), null));
      }
      return claim.content() == null && !claim.email().erased()
          ? new Taken.Settled(unseen(claim))
          : new Taken.Ready(prepare(claim, claimedAt));
    } catch (TemplateNotFoundException | NewerPayloadException e) {
      return new Taken.Settled(putBack.orInvalid(claim, words(e)));
    } catch (TemplateException | UnreadablePayloadException | InvalidEmailException e) {
      return new Taken.Settled(Completion.invalid(claim, Report.of(words(e))));
    } catch (Throwable e) {
      return new Taken.Settled(
          Completion.invalid(claim, Report.of("intake failed: " + Failures.describe(e))));
    }
  }

  /** Returns what is to be recorded of an email whose content only other nodes may see. */
  Completion unseen(Claim claim) {
    return putBack.orInvalid(claim, "its content cannot be seen from here");
  }

  /** Returns what is to be recorded of an email that the store does not let proceed to delivery. */
  Completion unproceedable(Claim claim) {
    return putBack.orInvalid(claim, "the store rejects its step to delivery");
  }

  private Prepared prepare(Claim claim, long claimedAt) {
    EmailSummary email = claim.email();
    Headline headline = email.headline();
    StoredContent content = claim.content();
    if (headline == null && content != null) {
      throw new UnreadablePayloadException("what its row says of it cannot be read");
    }
    if (headline == null || content == null) {
      throw new UnreadablePayloadException("its content is gone");
    }
    Message message = rendering.message(email, headline, PayloadFormat.decode(content.payload()));
    within("rendered subject", message.subject().length(), StoredLimits.SUBJECT, "characters");
    String subject = headline.subject() == null ? message.subject() : null;
    return new Prepared(claim, composed(message), subject, claimedAt);
  }

  /** Rejects what could not be recorded any more after the delivery. */
  private static void within(String what, int size, int limit, String unit) {
    if (size > limit) {
      throw new UnreadablePayloadException(
          "the %s has %d %s, more than the limit of %d".formatted(what, size, unit, limit));
    }
  }

  private Bytes composed(Message message) {
    Bytes composed = Objects.requireNonNull(transport.compose(message), "composed");
    if (composed.length() == 0) {
      throw new IllegalStateException("the transport composed nothing");
    }
    within("composed message", composed.length(), StoredLimits.COMPOSED_BYTES, "bytes");
    return composed;
  }

  private static String words(RuntimeException e) {
    return Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
  }

  /**
   * What happens to an email that another node may be able to take in.
   *
   * @param delay until the next try
   * @param tries how many before it is invalid
   */
  record PutBack(Duration delay, int tries) {

    /** Spreads the tries over the time in which a deployment rolls. */
    static PutBack within(Duration patience) {
      Duration delay = patience.dividedBy(20);
      return new PutBack(
          delay.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : delay, 20);
    }

    Completion orInvalid(Claim claim, String reason) {
      return claim.email().progress().tries() < tries
          ? Completion.putBack(claim, delay, Report.of(reason))
          : Completion.invalid(claim, Report.of(reason));
    }
  }
}
