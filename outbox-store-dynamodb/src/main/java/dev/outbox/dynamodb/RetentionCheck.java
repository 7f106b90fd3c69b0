package dev.outbox.dynamodb;

import dev.outbox.store.Retention;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says so if the outbox keeps emails for another time than this store's times to live are made
 * from: the shorter one wins, and somebody should know.
 */
final class RetentionCheck {

  private static final Logger log = LoggerFactory.getLogger(RetentionCheck.class);

  private final Retention store;
  private final AtomicBoolean told = new AtomicBoolean();

  RetentionCheck(Retention store) {
    this.store = store;
  }

  /** Compares with what the outbox prunes by; returns whether there was something new to say. */
  boolean lookAt(Retention outbox) {
    boolean same =
        outbox.log().equals(store.log())
            && outbox.failed().equals(store.failed())
            && outbox.invalid().equals(store.invalid());
    boolean isNews = !same && told.compareAndSet(false, true);
    if (isNews) {
      log.warn(
          "retention of the outbox is {}, and of its store {}: the shorter time wins, set both",
          outbox,
          store);
    }
    return isNews;
  }
}
