package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads emails' rows as they are now, in the log too; what is past its time is gone. */
final class ItemReader {

  private final DynamoDbRequests dynamo;
  private final DynamoDbSettings settings;
  private final ShardCounts shards;

  ItemReader(DynamoDbRequests dynamo, DynamoDbSettings settings, ShardCounts shards) {
    this.dynamo = dynamo;
    this.settings = settings;
    this.shards = shards;
  }

  /** Reads rows that are not in the log. */
  Map<EmailId, EmailItem> hot(Collection<EmailId> ids) {
    return read(
        dynamo.getAll(
            settings.emails(),
            ids.stream()
                .map(id -> AttributeValues.key(id.toString(), AttributeNames.META))
                .toList()));
  }

  /** Reads rows from the log, of which the partition follows from the id. */
  Map<EmailId, EmailItem> logged(Collection<EmailId> ids) {
    List<Map<String, AttributeValue>> keys = new ArrayList<>();
    for (EmailId id : ids) {
      for (int count : shards.log()) {
        keys.add(logKey(id, PartitionKeys.day(id, count)));
      }
    }
    return read(dynamo.getAll(settings.log(), keys));
  }

  static Map<String, AttributeValue> logKey(EmailId id, String day) {
    return Map.of(
        AttributeNames.LOG_DAY,
        AttributeValues.text(day),
        AttributeNames.LOG_ID,
        AttributeValues.text(id.toString()));
  }

  /**
   * Reads rows from wherever they are. The log comes second, so that an email that is archived
   * meanwhile is found.
   */
  Map<EmailId, EmailItem> all(Collection<EmailId> ids) {
    Map<EmailId, EmailItem> rows = new HashMap<>(hot(ids));
    List<EmailId> missing = ids.stream().filter(id -> !rows.containsKey(id)).toList();
    if (!missing.isEmpty()) {
      rows.putAll(logged(missing));
    }
    return rows;
  }

  Optional<EmailItem> one(EmailId id) {
    return Optional.ofNullable(all(List.of(id)).get(id));
  }

  private static Map<EmailId, EmailItem> read(List<Map<String, AttributeValue>> items) {
    Instant now = Instant.now();
    Map<EmailId, EmailItem> rows = new HashMap<>();
    for (Map<String, AttributeValue> item : items) {
      if (!AttributeValues.isExpired(item, now)) {
        EmailItemReader.read(item).ifPresent(row -> rows.put(row.id, row));
      }
    }
    return rows;
  }
}
