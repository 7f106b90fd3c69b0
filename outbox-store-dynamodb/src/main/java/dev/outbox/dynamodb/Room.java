package dev.outbox.dynamodb;

import dev.outbox.email.Address;
import dev.outbox.email.Headline;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.email.RecipientResult;
import dev.outbox.store.NewEmail;
import dev.outbox.store.StoredLimits;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Keeps rows within the 400 KB of an item. An email is accepted only if everything that may be
 * added to its row later fits as well, except for the replies of the relay to each recipient: these
 * are left out if they do not fit. With the default limit of 100 recipients they always do.
 */
final class Room {

  private static final Logger log = LoggerFactory.getLogger(Room.class);

  /** The most bytes that a {@code char} takes in UTF-8. */
  private static final int WIDEST = 3;

  /** The status of a recipient, with the names of its attributes. */
  private static final int RESULT = 40;

  /** Owner, worker, times, counters and places that a row gets later. */
  private static final int COLUMNS = 4_000;

  private static final int TEXTS =
      WIDEST * (StoredLimits.SUBJECT + StoredLimits.REASON + StoredLimits.RESPONSE);

  private Room() {}

  /**
   * Refuses an email whose row would not have room for its outcome.
   *
   * @throws InvalidEmailException that names the recipients, which are the only part without a
   *     fixed limit, and the email's id
   */
  static void check(NewEmail email, Map<String, AttributeValue> row) {
    long needed = ItemSize.of(row) + later(email.headline());
    if (needed > ItemSize.MOST) {
      throw new InvalidEmailException(
          "recipients",
          "email %s needs %d bytes with its recipients and their results, and %d fit into an item of DynamoDB"
              .formatted(email.id(), needed, ItemSize.MOST));
    }
  }

  private static long later(Headline headline) {
    long results =
        Stream.of(
                headline.recipients().to(), headline.recipients().cc(), headline.recipients().bcc())
            .flatMap(addresses -> addresses.stream().map(Address::email))
            .mapToLong(address -> ItemSize.bytes(address) + RESULT)
            .sum();
    return results + TEXTS + COLUMNS;
  }

  /** Returns the item of a row, without the replies to each recipient if they make it too large. */
  static Map<String, AttributeValue> fitting(
      Row row, Function<Row, Map<String, AttributeValue>> format) {
    Map<String, AttributeValue> item = format.apply(row);
    if (row.recipients.isEmpty() || ItemSize.of(item) <= ItemSize.MOST) {
      return item;
    }
    log.warn(
        "{}: its {} recipients and the relay's replies are more than an item holds,"
            + " the replies are left out",
        row.id,
        row.recipients.size());
    row.recipients =
        row.recipients.stream()
            .map(each -> new RecipientResult(each.recipient(), each.status(), null))
            .toList();
    return format.apply(row);
  }
}
