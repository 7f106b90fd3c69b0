package dev.outbox.store;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One email in the hands of one node, and the token that proves it.
 *
 * <p>The token is the fence: claiming, cancelling and requeueing change it, so that whoever comes
 * late with an old one is recognised. Reaping does not change it, so that a delivery that did
 * happen can still be recorded as long as nobody else has taken the email.
 *
 * @param token what the email's token was when this claim was made
 * @param state the busy state in which it is held
 * @param email the email as it was when it was claimed, with the claiming node as its owner
 * @param content null only where it was dropped, as for callbacks
 * @param timeToExpiry how long it may still leave, by the store's clock; zero or less if it is too
 *     old
 */
public record Claim(
    long token,
    State state,
    EmailSummary email,
    @Nullable StoredContent content,
    Duration timeToExpiry) {

  /** Refuses an email that nobody holds. */
  public Claim {
    Objects.requireNonNull(email.owner(), "owner");
    if (!state.isBusy()) {
      throw new IllegalArgumentException("state: not a busy one: " + state);
    }
  }

  /** Returns the email's id. */
  public EmailId id() {
    return email.id();
  }

  /** Returns the node that holds it. */
  public NodeId node() {
    return Objects.requireNonNull(email.owner());
  }

  /** Returns the same claim as it is after {@link OutboxStore#beginDelivery}. */
  public Claim forDelivery() {
    return new Claim(token, State.PROCESSING, email, content, timeToExpiry);
  }

  /** Returns whether the composed message is stored, so that it can be sent as it is. */
  public boolean composed() {
    return content != null && content.composed() != null;
  }

  /** Shows identity only. */
  @Override
  public String toString() {
    return "Claim[%s, %s, token=%d]".formatted(id(), state.wireName(), token);
  }
}
