package dev.outbox.transport;

/** The right to hand an email over, which ends when the node's lease is no longer sure. */
@FunctionalInterface
public interface SendPermit {

  /** Returns whether the email may still be handed over. Cheap; asked for each email. */
  boolean isValid();
}
