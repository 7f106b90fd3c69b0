package dev.outbox.internal.stage;

import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.internal.logging.ErrorSummary;
import dev.outbox.internal.payload.NewerPayloadException;
import dev.outbox.internal.payload.PayloadCodec;
import dev.outbox.internal.payload.UnreadablePayloadException;
import dev.outbox.store.Claim;
import dev.outbox.store.Completion;
import dev.outbox.store.OutcomeDetails;
import dev.outbox.store.StoredContent;
import dev.outbox.store.StoredValueLimits;
import dev.outbox.template.TemplateException;
import dev.outbox.template.TemplateNotFoundException;
import dev.outbox.template.Templates;
import dev.outbox.transport.RenderedMessage;
import dev.outbox.transport.Transport;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads, renders and composes one claimed email. */
public final class IntakeStage {

  private final EmailRenderer rendering;
  private final Transport transport;
  private final Deferral putBack;

  public IntakeStage(@Nullable Templates templates, Transport transport, Deferral putBack) {
    this.rendering = new EmailRenderer(templates);
    this.transport = transport;
    this.putBack = putBack;
  }

  /** What intake made of an email. */
  public sealed interface Result {
    /** It can go to the wire. */
    record Prepared(PreparedEmail prepared) implements Result {}

    /** It cannot, and this is to be recorded. */
    record Done(Completion completion) implements Result {}
  }

  /**
   * Takes in an email; whatever goes wrong is a result too.
   *
   * @param claimedAt when it was claimed, by the monotonic clock
   */
  Result take(Claim claim, long claimedAt) {
    try {
      if (claim.timeToExpiry().isNegative() || claim.timeToExpiry().isZero()) {
        return new Result.Done(
            Completion.failed(
                claim,
                FailureCode.EXPIRED,
                OutcomeDetails.of("too old when it was taken in"),
                null));
      }
      return claim.content() == null && !claim.email().erased()
          ? new Result.Done(unseen(claim))
          : new Result.Prepared(prepare(claim, claimedAt));
    } catch (TemplateNotFoundException | NewerPayloadException e) {
      return new Result.Done(putBack.orInvalid(claim, text(e)));
    } catch (TemplateException | UnreadablePayloadException | InvalidEmailException e) {
      return new Result.Done(Completion.invalid(claim, OutcomeDetails.of(text(e))));
    } catch (Throwable e) {
      return new Result.Done(
          Completion.invalid(
              claim, OutcomeDetails.of("intake failed: " + ErrorSummary.describe(e))));
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

  private PreparedEmail prepare(Claim claim, long claimedAt) {
    EmailSummary email = claim.email();
    AddressesAndSubject addressesAndSubject = email.addressesAndSubject();
    StoredContent content = claim.content();
    if (addressesAndSubject == null && content != null) {
      throw new UnreadablePayloadException("what its row says of it cannot be read");
    }
    if (addressesAndSubject == null || content == null) {
      throw new UnreadablePayloadException("its content is gone");
    }
    RenderedMessage message =
        rendering.message(email, addressesAndSubject, PayloadCodec.decode(content.payload()));
    within("rendered subject", message.subject().length(), StoredValueLimits.SUBJECT, "characters");
    String subject = addressesAndSubject.subject() == null ? message.subject() : null;
    return new PreparedEmail(claim, composed(message), subject, claimedAt);
  }

  /** Rejects what could not be recorded any more after the delivery. */
  private static void within(String what, int size, int limit, String unit) {
    if (size > limit) {
      throw new UnreadablePayloadException(
          "the %s has %d %s, more than the limit of %d".formatted(what, size, unit, limit));
    }
  }

  private Bytes composed(RenderedMessage message) {
    Bytes composed = Objects.requireNonNull(transport.compose(message), "composed");
    if (composed.length() == 0) {
      throw new IllegalStateException("the transport composed nothing");
    }
    within("composed message", composed.length(), StoredValueLimits.COMPOSED_BYTES, "bytes");
    return composed;
  }

  private static String text(RuntimeException e) {
    return Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
  }

  /**
   * What happens to an email that another node may be able to take in.
   *
   * @param delay until the next try
   * @param tries how many before it is invalid
   */
  public record Deferral(Duration delay, int tries) {

    /** Spreads the tries over the time in which a deployment rolls. */
    public static Deferral within(Duration patience) {
      Duration delay = patience.dividedBy(20);
      return new Deferral(
          delay.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : delay, 20);
    }

    Completion orInvalid(Claim claim, String reason) {
      return claim.email().progress().stageRetries() < tries
          ? Completion.deferredToOtherNode(claim, delay, OutcomeDetails.of(reason))
          : Completion.invalid(claim, OutcomeDetails.of(reason));
    }
  }
}
