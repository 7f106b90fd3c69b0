package dev.outbox.dynamodb;

import dev.outbox.store.Retention;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** When an email and all that belongs to it is gone, and the writes that say so. */
final class TimesToLive {

  private final Settings settings;

  TimesToLive(Settings settings) {
    this.settings = settings;
  }

  /** Returns when an email is gone: never before nothing can happen to it any more. */
  @Nullable Long of(Row row) {
    if (!row.isFinal()) {
      return null;
    }
    Retention retention = settings.retention();
    Duration kept =
        switch (row.state.outcome()) {
          case FAILED -> retention.failed();
          case INVALID -> retention.invalid();
          default -> retention.log();
        };
    Instant settled = row.settled == null ? row.updated : row.settled;
    return settled.plus(kept).getEpochSecond() + 1;
  }

  /** Enters the content of a sent email into the queue of what is to be dropped. */
  TransactWriteItem kept(Row row, String status) {
    Instant settled = row.settled == null ? row.updated : row.settled;
    Map<String, AttributeValue> values = new HashMap<>();
    int shard = Partitions.shard(row.id, settings.shards());
    values.put(":queue", Values.text(Partitions.kept(shard)));
    values.put(":due", Values.text(Partitions.settledPlace(settled)));
    if (row.ttl != null) {
      values.put(":ttl", Values.number(row.ttl));
    }
    return TransactWriteItem.builder()
        .update(
            update ->
                update
                    .tableName(settings.emails())
                    .key(Values.key(row.id.toString(), status))
                    .updateExpression(
                        "SET #queue = :queue, #due = :due"
                            + (row.ttl == null ? "" : ", #ttl = :ttl"))
                    .expressionAttributeNames(
                        row.ttl == null
                            ? Map.of("#queue", Names.QUEUE, "#due", Names.DUE)
                            : Map.of("#queue", Names.QUEUE, "#due", Names.DUE, "#ttl", Names.TTL))
                    .expressionAttributeValues(values))
        .build();
  }

  /** Gives an item of an email the time to live of its row. */
  TransactWriteItem lasting(Row row, String status) {
    Long ttl = row.ttl;
    return TransactWriteItem.builder()
        .update(
            update ->
                update
                    .tableName(settings.emails())
                    .key(Values.key(row.id.toString(), status))
                    .updateExpression(ttl == null ? "REMOVE #ttl" : "SET #ttl = :ttl")
                    .expressionAttributeNames(Map.of("#ttl", Names.TTL))
                    .expressionAttributeValues(
                        ttl == null ? null : Map.of(":ttl", Values.number(ttl))))
        .build();
  }

  /** Does the same outside of a transaction. */
  BatchStatementRequest lastingStatement(Row row, String status) {
    Long ttl = row.ttl;
    List<AttributeValue> parameters = new ArrayList<>();
    if (ttl != null) {
      parameters.add(Values.number(ttl));
    }
    parameters.add(Values.text(row.id.toString()));
    parameters.add(Values.text(status));
    return BatchStatementRequest.builder()
        .statement(
            "UPDATE \"%s\" %s WHERE \"Id\"=? AND \"Status\"=?"
                .formatted(settings.emails(), ttl == null ? "REMOVE \"TTL\"" : "SET \"TTL\"=?"))
        .parameters(parameters)
        .build();
  }
}
