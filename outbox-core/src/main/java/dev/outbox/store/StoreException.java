package dev.outbox.store;

import org.jspecify.annotations.Nullable;

/**
 * The store could not do what it was asked, after its own retries. Unless a method says otherwise,
 * whether the change was made is then unknown, and it is safe to ask again.
 *
 * <p>The text never holds a value that was stored or looked for.
 */
public class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Says what could not be done, and what the driver said. */
  public StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
