package dev.outbox.store;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a store cannot complete a call, after the store's own retries.
 *
 * <p>Unless a method says otherwise, it is unknown whether the change was made, and it is safe to
 * repeat the call. {@link #reason()} says what the caller can do. The message never contains a
 * stored or searched value.
 */
public class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Why a store could not complete a call. */
  public enum Reason {
    /**
     * The store cannot be used at the moment, whatever is stored: connection lost, timeout, lock
     * conflict, overload, disk full, read-only server, refused credentials. Repeat the call later.
     */
    UNAVAILABLE,
    /** The caller's own transaction failed. Roll it back and repeat all of it. */
    RETRY_TRANSACTION,
    /** The store rejects the data of at least one email of the call. Other emails can be stored. */
    REJECTED_DATA,
    /** The calling thread was interrupted. Other threads are not affected. */
    INTERRUPTED,
    /**
     * The store is not set up as required: a table or a driver is missing, or a setting is wrong.
     */
    MISCONFIGURED
  }

  private final Reason reason;

  /**
   * Creates an exception.
   *
   * @param reason what the caller can do
   * @param message what could not be done, and why, without any stored value
   * @param cause the driver's exception without its text, or null
   */
  public StoreException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** Returns why the call failed. */
  public Reason reason() {
    return reason;
  }
}
