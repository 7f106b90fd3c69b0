package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * How an email's row is written as an item: {@code Attributes} as others read it, and the rest at
 * the root.
 */
final class RowFormat {

  /** What every email that is not in the log has. */
  private static final Set<String> NEEDED =
      Set.of(Names.ATTRIBUTES, Names.VERSION, Names.TOKEN, Names.CREATED, Names.DEADLINE);

  /** What came with the email: a value that cannot be read stays, for somebody to mend it. */
  private static final Set<String> ORIGINAL =
      Set.of(
          "Headline",
          "Priority",
          "Template",
          "Tags",
          "RequestId",
          "CallbackUrl",
          "Key",
          "Lifetime",
          "PayloadFile",
          "ComposedFile",
          Names.CREATED);

  private static final Set<String> PLACES =
      Set.of(
          Names.ID,
          Names.STATUS,
          Names.QUEUE,
          Names.DUE,
          Names.DAY,
          Names.TTL,
          Names.LOG_DAY,
          Names.LOG_ID,
          Names.EXPIRES);

  private RowFormat() {}

  /**
   * Reads a row out of either table. What cannot be read of it is as if it were not there, and is
   * named in {@link Row#spoilt}.
   *
   * @return empty if the item's key is none of ours
   */
  static Optional<Row> read(Map<String, AttributeValue> item) {
    boolean archived = item.containsKey(Names.LOG_ID);
    return Values.idOf(item, archived ? Names.LOG_ID : Names.ID)
        .map(id -> read(item, id, archived));
  }

  private static Row read(Map<String, AttributeValue> item, EmailId id, boolean archived) {
    Row row = RowSchema.read(item);
    row.source = item;
    row.archived = archived;
    row.id = id;
    row.ttl = Values.ttlOf(item);
    String queue = archived ? null : Values.textOf(item, Names.QUEUE);
    String place = Objects.requireNonNullElse(Values.textOf(item, Names.DUE), "");
    if (queue != null) {
      NEEDED.stream().filter(name -> !item.containsKey(name)).forEach(row.spoilt::add);
    }
    // The place in the queue says a second time who holds an email, and in which state.
    row.owner = queue == null ? row.owner : Partitions.ownerOf(queue);
    if (row.stateless) {
      Optional<State> known =
          queue == null
              ? Optional.of(State.SENT).filter(sent -> archived)
              : Partitions.stateAt(queue, place);
      row.state = known.orElse(State.INVALID);
      row.stateless = known.isEmpty();
    }
    readTimes(row, place);
    if (row.isSpoilt() && (row.reason == null || row.state == State.INVALID)) {
      row.reason = "its row cannot be read: " + String.join(", ", row.spoilt);
    }
    return row;
  }

  private static void readTimes(Row row, String place) {
    boolean created = !row.created.equals(Instant.EPOCH);
    if (row.updated.equals(Instant.EPOCH)) {
      row.updated = created ? row.created : Partitions.timeOf(row.id);
    }
    if (!created) {
      row.created = row.spoilt.contains(Names.CREATED) ? Partitions.timeOf(row.id) : row.updated;
    }
    if (row.spoilt.contains(Names.DEADLINE)) {
      row.deadline = Values.LATEST;
    } else if (row.deadline.equals(Instant.EPOCH)) {
      row.deadline = row.updated;
    }
    if (row.spoilt.contains(Names.TOKEN)) {
      // Never one that was used before.
      row.token = Values.toMicros(Instant.now());
    }
    row.due = row.owner != null || row.archived ? null : Partitions.dueAt(place, row.created);
  }

  /** Writes a row for the table of emails, with its place in the queue. */
  static Map<String, AttributeValue> hot(Row row, int shards, int logShards) {
    Map<String, AttributeValue> item = common(row);
    item.putAll(Values.key(row.id.toString(), Names.META));
    int shard = Partitions.shard(row.id, shards);
    if (row.owner != null) {
      item.put(Names.QUEUE, Values.text(Partitions.owned(row.owner, shard)));
      item.put(Names.DUE, Values.text(row.state.wireName()));
    } else {
      item.put(Names.QUEUE, Values.text(Partitions.waiting(row.state, shard)));
      item.put(Names.DUE, Values.text(place(row)));
    }
    AttributeValue day = row.source.get(Names.DAY);
    item.put(
        Names.DAY,
        day == null || day.s() == null ? Values.text(Partitions.day(row.id, logShards)) : day);
    if (row.ttl != null) {
      item.put(Names.TTL, Values.number(row.ttl));
    }
    return item;
  }

  private static String place(Row row) {
    return row.due == null
        ? Partitions.settledPlace(row.settled == null ? row.updated : row.settled)
        : Partitions.place(row.lane, row.due);
  }

  /** Writes a row for the log. */
  static Map<String, AttributeValue> logged(Row row, int logShards) {
    Map<String, AttributeValue> item = common(row);
    AttributeValue day = row.archived ? row.source.get(Names.LOG_DAY) : null;
    item.put(Names.LOG_DAY, day == null ? Values.text(Partitions.day(row.id, logShards)) : day);
    item.put(Names.LOG_ID, Values.text(row.id.toString()));
    if (row.ttl != null) {
      item.put(Names.EXPIRES, Values.number(row.ttl));
    }
    return item;
  }

  private static Map<String, AttributeValue> common(Row row) {
    Map<String, AttributeValue> item = new HashMap<>(row.source);
    item.keySet().removeAll(RowSchema.names());
    item.keySet().removeAll(PLACES);
    item.putAll(RowSchema.write(row));
    for (String name : row.spoilt) {
      AttributeValue found = row.source.get(name);
      if (found != null && ORIGINAL.contains(name)) {
        item.put(name, found);
      }
    }
    return item;
  }
}
