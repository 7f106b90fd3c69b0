package dev.outbox.dynamodb;

import dev.outbox.settings.RetentionSettings;
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
final class TtlCalculator {

  private final DynamoDbSettings settings;

  TtlCalculator(DynamoDbSettings settings) {
    this.settings = settings;
  }

  /** Returns when an email is gone: never before nothing can happen to it any more. */
  @Nullable Long of(EmailItem row) {
    if (!row.isFinal()) {
      return null;
    }
    RetentionSettings retention = settings.retention();
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
  TransactWriteItem kept(EmailItem row, String status) {
    Instant settled = row.settled == null ? row.updated : row.settled;
    Map<String, AttributeValue> values = new HashMap<>();
    int shard = PartitionKeys.shard(row.id, settings.shards());
    values.put(":queue", AttributeValues.text(PartitionKeys.kept(shard)));
    values.put(":due", AttributeValues.text(PartitionKeys.settledPlace(settled)));
    if (row.ttl != null) {
      values.put(":ttl", AttributeValues.number(row.ttl));
    }
    return TransactWriteItem.builder()
        .update(
            update ->
                update
                    .tableName(settings.emails())
                    .key(AttributeValues.key(row.id.toString(), status))
                    .updateExpression(
                        "SET #queue = :queue, #due = :due"
                            + (row.ttl == null ? "" : ", #ttl = :ttl"))
                    .expressionAttributeNames(
                        row.ttl == null
                            ? Map.of("#queue", AttributeNames.QUEUE, "#due", AttributeNames.DUE)
                            : Map.of(
                                "#queue",
                                AttributeNames.QUEUE,
                                "#due",
                                AttributeNames.DUE,
                                "#ttl",
                                AttributeNames.TTL))
                    .expressionAttributeValues(values))
        .build();
  }

  /** Gives an item of an email the time to live of its row. */
  TransactWriteItem lasting(EmailItem row, String status) {
    Long ttl = row.ttl;
    return TransactWriteItem.builder()
        .update(
            update ->
                update
                    .tableName(settings.emails())
                    .key(AttributeValues.key(row.id.toString(), status))
                    .updateExpression(ttl == null ? "REMOVE #ttl" : "SET #ttl = :ttl")
                    .expressionAttributeNames(Map.of("#ttl", AttributeNames.TTL))
                    .expressionAttributeValues(
                        ttl == null ? null : Map.of(":ttl", AttributeValues.number(ttl))))
        .build();
  }

  /** Does the same outside of a transaction. */
  BatchStatementRequest lastingStatement(EmailItem row, String status) {
    Long ttl = row.ttl;
    List<AttributeValue> parameters = new ArrayList<>();
    if (ttl != null) {
      parameters.add(AttributeValues.number(ttl));
    }
    parameters.add(AttributeValues.text(row.id.toString()));
    parameters.add(AttributeValues.text(status));
    return BatchStatementRequest.builder()
        .statement(
            "UPDATE \"%s\" %s WHERE \"Id\"=? AND \"Status\"=?"
                .formatted(settings.emails(), ttl == null ? "REMOVE \"TTL\"" : "SET \"TTL\"=?"))
        .parameters(parameters)
        .build();
  }
}
