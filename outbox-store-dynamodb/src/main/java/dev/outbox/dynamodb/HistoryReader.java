package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import dev.outbox.store.HistoryRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads what happened to an email, without reading its content along. */
final class HistoryReader {

  private final DynamoDbRequests dynamo;
  private final DynamoDbSettings settings;
  private final ForeignItemLog foreignItems;

  HistoryReader(DynamoDbRequests dynamo, DynamoDbSettings settings, ForeignItemLog foreignItems) {
    this.dynamo = dynamo;
    this.settings = settings;
    this.foreignItems = foreignItems;
  }

  List<HistoryRecord> of(EmailId id) {
    List<Map<String, AttributeValue>> steps = items(id, " AND begins_with(#status, :state)");
    return steps.isEmpty() && isForeign(id)
        ? HistoryMapper.plain(items(id, ""))
        : steps.stream().flatMap(item -> step(id, item).stream()).toList();
  }

  private Optional<HistoryRecord> step(EmailId id, Map<String, AttributeValue> item) {
    Optional<HistoryRecord> step = HistoryMapper.readable(item);
    if (step.isEmpty()) {
      foreignItems.met(settings.emails(), id.toString());
    }
    return step;
  }

  private boolean isForeign(EmailId id) {
    return dynamo
        .get(settings.emails(), AttributeValues.key(id.toString(), AttributeNames.META))
        .filter(item -> !EmailItemReader.isOurs(item))
        .isPresent();
  }

  private List<Map<String, AttributeValue>> items(EmailId id, String which) {
    boolean all = which.isEmpty();
    AttributeValue key = AttributeValues.text(id.toString());
    Instant now = Instant.now();
    return dynamo
        .query(
            Integer.MAX_VALUE,
            query ->
                query
                    .tableName(settings.emails())
                    .consistentRead(true)
                    .keyConditionExpression("Id = :id" + which)
                    .expressionAttributeNames(all ? null : Map.of("#status", AttributeNames.STATUS))
                    .expressionAttributeValues(
                        all
                            ? Map.of(":id", key)
                            : Map.of(
                                ":id", key, ":state", AttributeValues.text(AttributeNames.STATE))))
        .stream()
        .filter(item -> !AttributeValues.isExpired(item, now))
        .toList();
  }
}
