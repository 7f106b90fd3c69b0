package dev.outbox.dynamodb;

import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares the retention of an outbox with the one that a store's times to live are made from. The
 * shorter of two would delete emails that the other is to keep.
 */
final class RetentionMismatchCheck {

  private final RetentionSettings store;

  RetentionMismatchCheck(RetentionSettings store) {
    this.store = store;
  }

  /**
   * Compares all but the content of sent emails, which has no time to live of its own.
   *
   * @throws StoreException that names both values of each difference, and both settings
   */
  void check(RetentionSettings outbox) {
    List<String> differences = new ArrayList<>();
    compare(differences, "log", outbox.log(), store.log());
    compare(differences, "failed", outbox.failed(), store.failed());
    compare(differences, "invalid", outbox.invalid(), store.invalid());
    if (!differences.isEmpty()) {
      throw new StoreException(
          StoreException.Reason.MISCONFIGURED,
          ("retention: %s; the shorter time would delete what the other keeps. Set the same in"
                  + " Outbox.builder(…).retention(…) and DynamoDbStore.builder(…).retention(…)")
              .formatted(String.join(", ", differences)),
          null);
    }
  }

  private static void compare(
      List<String> differences, String field, Duration outbox, Duration store) {
    if (!outbox.equals(store)) {
      differences.add("%s is %s in the outbox and %s in its store".formatted(field, outbox, store));
    }
  }
}
