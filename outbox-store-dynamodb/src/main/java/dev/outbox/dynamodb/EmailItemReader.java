package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Reads emails' rows out of items. One bad value harms neither the rest of its item nor other
 * items.
 */
final class EmailItemReader {

  /** What every email that is not in the log has. */
  private static final Set<String> NEEDED =
      Set.of(
          AttributeNames.ATTRIBUTES,
          AttributeNames.VERSION,
          AttributeNames.TOKEN,
          AttributeNames.CREATED,
          AttributeNames.DEADLINE);

  /** Every email of ours has these, in the log too. The index shows the first two. */
  private static final List<String> MARKS =
      List.of(
          AttributeNames.TOKEN,
          AttributeNames.CREATED,
          AttributeNames.VERSION,
          AttributeNames.DEADLINE);

  private EmailItemReader() {}

  /**
   * Returns whether an item of either table is an email that this library has stored, as far as can
   * be seen: one of the marks may be missing, and each of them may be unreadable.
   */
  static boolean isOurs(Map<String, AttributeValue> item) {
    return mayBeOurs(item) && MARKS.stream().filter(item::containsKey).count() > 1;
  }

  /** Returns the same as far as an entry of the index can say. */
  static boolean mayBeOurs(Map<String, AttributeValue> entry) {
    return entry.containsKey(AttributeNames.TOKEN) || entry.containsKey(AttributeNames.CREATED);
  }

  /**
   * Reads a row out of either table. What cannot be read of it is as if it were not there, and is
   * named in {@link EmailItem#spoilt}.
   *
   * @return empty if the item's key is none of ours
   */
  static Optional<EmailItem> read(Map<String, AttributeValue> item) {
    boolean archived = item.containsKey(AttributeNames.LOG_ID);
    return AttributeValues.idOf(item, archived ? AttributeNames.LOG_ID : AttributeNames.ID)
        .map(id -> read(item, id, archived));
  }

  private static EmailItem read(Map<String, AttributeValue> item, EmailId id, boolean archived) {
    EmailItem row = lenient(item);
    row.source = item;
    row.foreign = !isOurs(item);
    row.archived = archived;
    row.id = id;
    row.ttl = AttributeValues.ttlOf(item);
    String queue = archived ? null : AttributeValues.textOf(item, AttributeNames.QUEUE);
    String place = Objects.requireNonNullElse(AttributeValues.textOf(item, AttributeNames.DUE), "");
    if (queue != null) {
      NEEDED.stream().filter(name -> !item.containsKey(name)).forEach(row.spoilt::add);
    }
    // The place in the queue says a second time who holds an email, and in which state.
    row.owner = queue == null ? row.owner : PartitionKeys.ownerOf(queue);
    if (row.stateless) {
      Optional<State> known =
          queue == null
              ? Optional.of(State.SENT).filter(sent -> archived)
              : PartitionKeys.stateAt(queue, place);
      row.state = known.orElse(State.INVALID);
      row.stateless = known.isEmpty();
    }
    readTimes(row, place);
    if (row.isSpoilt() && (row.reason == null || row.state == State.INVALID)) {
      row.reason = "its row cannot be read: " + String.join(", ", row.spoilt);
    }
    return row;
  }

  private static void readTimes(EmailItem row, String place) {
    boolean created = !row.created.equals(Instant.EPOCH);
    if (row.updated.equals(Instant.EPOCH)) {
      row.updated = created ? row.created : PartitionKeys.timeOf(row.id);
    }
    if (!created) {
      row.created =
          row.spoilt.contains(AttributeNames.CREATED) ? PartitionKeys.timeOf(row.id) : row.updated;
    }
    if (row.spoilt.contains(AttributeNames.DEADLINE)) {
      row.deadline = AttributeValues.LATEST;
    } else if (row.deadline.equals(Instant.EPOCH)) {
      row.deadline = row.updated;
    }
    if (row.spoilt.contains(AttributeNames.TOKEN)) {
      // Never one that was used before.
      row.token = AttributeValues.toMicros(Instant.now());
    }
    row.due = row.owner != null || row.archived ? null : PartitionKeys.dueAt(place, row.created);
  }

  /**
   * Reads the attributes of an item. What cannot be read is left out and noted in {@link
   * EmailItem#spoilt}, so that one bad value harms neither the rest of its item nor other items.
   */
  private static EmailItem lenient(Map<String, AttributeValue> item) {
    try {
      return EmailAttributes.read(item);
    } catch (RuntimeException e) {
      Map<String, AttributeValue> readable = new HashMap<>(item);
      readable.keySet().retainAll(EmailAttributes.names());
      readable.entrySet().removeIf(each -> !isReadable(Map.ofEntries(each)));
      EmailItem row = EmailAttributes.read(readable);
      EmailAttributes.names().stream()
          .filter(name -> item.containsKey(name) && !readable.containsKey(name))
          .forEach(row.spoilt::add);
      return row;
    }
  }

  private static boolean isReadable(Map<String, AttributeValue> one) {
    try {
      EmailAttributes.read(one);
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }
}
