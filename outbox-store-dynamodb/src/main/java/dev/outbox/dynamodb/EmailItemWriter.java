package dev.outbox.dynamodb;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * How an email's row is written as an item: {@code Attributes} as others read it, and the rest at
 * the root. {@link EmailItemReader} is the way back.
 */
final class EmailItemWriter {

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
          AttributeNames.CREATED);

  private static final Set<String> PLACES =
      Set.of(
          AttributeNames.ID,
          AttributeNames.STATUS,
          AttributeNames.QUEUE,
          AttributeNames.DUE,
          AttributeNames.DAY,
          AttributeNames.TTL,
          AttributeNames.LOG_DAY,
          AttributeNames.LOG_ID,
          AttributeNames.EXPIRES);

  private EmailItemWriter() {}

  /** Writes a row for the table of emails, with its place in the queue. */
  static Map<String, AttributeValue> hot(EmailItem row, int shards, int logShards) {
    Map<String, AttributeValue> item = common(row);
    item.putAll(AttributeValues.key(row.id.toString(), AttributeNames.META));
    int shard = PartitionKeys.shard(row.id, shards);
    if (row.owner != null) {
      item.put(AttributeNames.QUEUE, AttributeValues.text(PartitionKeys.owned(row.owner, shard)));
      item.put(AttributeNames.DUE, AttributeValues.text(row.state.wireName()));
    } else {
      item.put(AttributeNames.QUEUE, AttributeValues.text(PartitionKeys.waiting(row.state, shard)));
      item.put(AttributeNames.DUE, AttributeValues.text(place(row)));
    }
    AttributeValue day = row.source.get(AttributeNames.DAY);
    item.put(
        AttributeNames.DAY,
        day == null || day.s() == null
            ? AttributeValues.text(PartitionKeys.day(row.id, logShards))
            : day);
    if (row.ttl != null) {
      item.put(AttributeNames.TTL, AttributeValues.number(row.ttl));
    }
    return item;
  }

  private static String place(EmailItem row) {
    return row.due == null
        ? PartitionKeys.settledPlace(row.settled == null ? row.updated : row.settled)
        : PartitionKeys.place(row.lane, row.due);
  }

  /** Writes a row for the log. */
  static Map<String, AttributeValue> logged(EmailItem row, int logShards) {
    Map<String, AttributeValue> item = common(row);
    AttributeValue day = row.archived ? row.source.get(AttributeNames.LOG_DAY) : null;
    item.put(
        AttributeNames.LOG_DAY,
        day == null ? AttributeValues.text(PartitionKeys.day(row.id, logShards)) : day);
    item.put(AttributeNames.LOG_ID, AttributeValues.text(row.id.toString()));
    if (row.ttl != null) {
      item.put(AttributeNames.EXPIRES, AttributeValues.number(row.ttl));
    }
    return item;
  }

  private static Map<String, AttributeValue> common(EmailItem row) {
    Map<String, AttributeValue> item = new HashMap<>(row.source);
    item.keySet().removeAll(EmailAttributes.names());
    item.keySet().removeAll(PLACES);
    item.putAll(EmailAttributes.write(row));
    for (String name : row.spoilt) {
      AttributeValue found = row.source.get(name);
      if (found != null && ORIGINAL.contains(name)) {
        item.put(name, found);
      }
    }
    return item;
  }
}
