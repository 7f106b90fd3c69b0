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
final class Rows {

  private final Dynamo dynamo;
  private final Settings settings;
  private final Shards shards;

  Rows(Dynamo dynamo, Settings settings, Shards shards) {
    this.dynamo = dynamo;
    this.settings = settings;
    this.shards = shards;
  }

  /** Reads rows that are not in the log. */
  Map<EmailId, Row> hot(Collection<EmailId> ids) {
    return read(
        dynamo.getAll(
            settings.emails(),
            ids.stream().map(id -> Values.key(id.toString(), Names.META)).toList()));
  }

  /** Reads rows from the log, of which the partition follows from the id. */
  Map<EmailId, Row> logged(Collection<EmailId> ids) {
    List<Map<String, AttributeValue>> keys = new ArrayList<>();
    for (EmailId id : ids) {
      for (int count : shards.log()) {
        keys.add(logKey(id, Partitions.day(id, count)));
      }
    }
    return read(dynamo.getAll(settings.log(), keys));
  }

  static Map<String, AttributeValue> logKey(EmailId id, String day) {
    return Map.of(Names.LOG_DAY, Values.text(day), Names.LOG_ID, Values.text(id.toString()));
  }

  /**
   * Reads rows from wherever they are. The log comes second, so that an email that is archived
   * meanwhile is found.
   */
  Map<EmailId, Row> all(Collection<EmailId> ids) {
    Map<EmailId, Row> rows = new HashMap<>(hot(ids));
    List<EmailId> missing = ids.stream().filter(id -> !rows.containsKey(id)).toList();
    if (!missing.isEmpty()) {
      rows.putAll(logged(missing));
    }
    return rows;
  }

  Optional<Row> one(EmailId id) {
    return Optional.ofNullable(all(List.of(id)).get(id));
  }

  private static Map<EmailId, Row> read(List<Map<String, AttributeValue>> items) {
    Instant now = Instant.now();
    Map<EmailId, Row> rows = new HashMap<>();
    for (Map<String, AttributeValue> item : items) {
      if (!Values.isExpired(item, now)) {
        RowReader.read(item).ifPresent(row -> rows.put(row.id, row));
      }
    }
    return rows;
  }
}
