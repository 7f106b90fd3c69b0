package dev.outbox.store;

import dev.outbox.email.State;
import org.jspecify.annotations.Nullable;

/**
 * What an email remembers of its claims, so that late and repeated answers are recognised.
 *
 * @param current the fence: claiming, cancelling and requeueing add one
 * @param completed the token of the last completion that was applied; zero before the first
 * @param completedTo the state that completion led to; null before the first
 * @param sent the token of the completion that recorded the email as sent; zero before
 */
public record ClaimTokens(long current, long completed, @Nullable State completedTo, long sent) {

  /** The tokens of an email that has just been stored. */
  public static final ClaimTokens NONE = new ClaimTokens(0, 0, null, 0);

  ClaimTokens next() {
    return new ClaimTokens(current + 1, completed, completedTo, sent);
  }

  ClaimTokens after(Completion done) {
    return new ClaimTokens(
        current, done.token(), done.to(), done.isDelivery() ? done.token() : sent);
  }

  boolean remember(Completion done) {
    return done.isDelivery()
        ? sent == done.token()
        : completed == done.token() && completedTo == done.to();
  }
}
