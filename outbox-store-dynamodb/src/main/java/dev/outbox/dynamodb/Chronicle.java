package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import dev.outbox.store.HistoryRow;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads what happened to an email, without reading its content along. */
final class Chronicle {

  private final Dynamo dynamo;
  private final Settings settings;
  private final Strangers strangers;

  Chronicle(Dynamo dynamo, Settings settings, Strangers strangers) {
    this.dynamo = dynamo;
    this.settings = settings;
    this.strangers = strangers;
  }

  List<HistoryRow> of(EmailId id) {
    List<Map<String, AttributeValue>> steps = items(id, " AND begins_with(#status, :state)");
    return steps.isEmpty() && isForeign(id)
        ? HistoryFormat.plain(items(id, ""))
        : steps.stream().flatMap(item -> step(id, item).stream()).toList();
  }

  private Optional<HistoryRow> step(EmailId id, Map<String, AttributeValue> item) {
    Optional<HistoryRow> step = HistoryFormat.readable(item);
    if (step.isEmpty()) {
      strangers.met(settings.emails(), id.toString());
    }
    return step;
  }

  private boolean isForeign(EmailId id) {
    return dynamo
        .get(settings.emails(), Values.key(id.toString(), Names.META))
        .filter(item -> !RowReader.isOurs(item))
        .isPresent();
  }

  private List<Map<String, AttributeValue>> items(EmailId id, String which) {
    boolean all = which.isEmpty();
    AttributeValue key = Values.text(id.toString());
    Instant now = Instant.now();
    return dynamo
        .query(
            Integer.MAX_VALUE,
            query ->
                query
                    .tableName(settings.emails())
                    .consistentRead(true)
                    .keyConditionExpression("Id = :id" + which)
                    .expressionAttributeNames(all ? null : Map.of("#status", Names.STATUS))
                    .expressionAttributeValues(
                        all
                            ? Map.of(":id", key)
                            : Map.of(":id", key, ":state", Values.text(Names.STATE))))
        .stream()
        .filter(item -> !Values.isExpired(item, now))
        .toList();
  }
}
