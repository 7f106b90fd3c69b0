package dev.outbox.dynamodb;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * How an email's row is written as an item: {@code Attributes} as others read it, and the rest at
 * the root. {@link RowReader} is the way back.
 */
final class RowFormat {

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
