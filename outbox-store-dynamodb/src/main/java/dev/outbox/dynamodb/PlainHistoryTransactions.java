package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.store.Claim;
import dev.outbox.store.ClaimRequest;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * Claims with the plain history: the update of an email's row and the item of its new state, in one
 * transaction for each email. The statements that {@link ClaimOperations} makes otherwise write
 * single items.
 */
final class PlainHistoryTransactions {

  private static final String STEP =
      "SET #attributes.#latest = :to, #attributes.#at = :at, #version = #version + :one";

  private final DynamoDbSettings settings;
  private final PlainHistoryWriter plain;

  PlainHistoryTransactions(DynamoDbSettings settings, PlainHistoryWriter plain) {
    this.settings = settings;
    this.plain = plain;
  }

  /** Gives an email to a node, if it still waits where the index says. */
  List<TransactWriteItem> claim(ClaimRequest request, QueueIndex.Entry entry, Instant now) {
    State to = request.busy();
    Map<String, String> names = names();
    names.put("#owner", AttributeNames.OWNER);
    names.put("#queue", AttributeNames.QUEUE);
    names.put("#due", AttributeNames.DUE);
    names.put("#token", AttributeNames.TOKEN);
    Map<String, AttributeValue> values = values(to, now);
    values.put(":owner", AttributeValues.text(request.node().value()));
    values.put(
        ":queue",
        AttributeValues.text(
            PartitionKeys.owned(
                request.node(), PartitionKeys.shard(entry.id(), settings.shards()))));
    values.put(":fromQueue", AttributeValues.text(entry.queue()));
    values.put(":fromDue", AttributeValues.text(entry.place()));
    values.put(":fromToken", AttributeValues.number(entry.token()));
    String time = "";
    if (to == State.INTAKING || to == State.PROCESSING) {
      time = ", #time = :time";
      names.put("#time", to == State.INTAKING ? AttributeNames.PREPARING : AttributeNames.SENDING);
      values.put(":time", AttributeValues.micros(now));
    }
    return List.of(
        update(
            entry.id(),
            STEP + ", #owner = :owner, #queue = :queue, #due = :to, #token = #token + :one" + time,
            "#queue = :fromQueue AND #due = :fromDue AND #token = :fromToken",
            names,
            values),
        plain.entered(entry.id(), to, now));
  }

  /** Moves an email from intake to delivery, if the claim still stands. */
  List<TransactWriteItem> proceed(Claim claim, Instant now) {
    Map<String, String> names = names();
    names.put("#owner", AttributeNames.OWNER);
    names.put("#token", AttributeNames.TOKEN);
    names.put("#prepared", AttributeNames.PREPARED);
    names.put("#sending", AttributeNames.SENDING);
    Map<String, AttributeValue> values = values(State.PROCESSING, now);
    values.put(":time", AttributeValues.micros(now));
    values.put(":token", AttributeValues.number(claim.token()));
    values.put(":owner", AttributeValues.text(claim.node().value()));
    values.put(":from", AttributeValues.text(State.INTAKING.wireName()));
    return List.of(
        update(
            claim.id(),
            STEP + ", #prepared = :time, #sending = :time",
            "#token = :token AND #owner = :owner AND #attributes.#latest = :from",
            names,
            values),
        plain.entered(claim.id(), State.PROCESSING, now));
  }

  private static Map<String, String> names() {
    Map<String, String> names = new HashMap<>();
    names.put("#attributes", AttributeNames.ATTRIBUTES);
    names.put("#latest", AttributeNames.LATEST);
    names.put("#at", AttributeNames.UPDATED_AT);
    names.put("#version", AttributeNames.VERSION);
    return names;
  }

  private static Map<String, AttributeValue> values(State to, Instant now) {
    Map<String, AttributeValue> values = new HashMap<>();
    values.put(":to", AttributeValues.text(to.wireName()));
    values.put(":at", AttributeValues.text(AttributeValues.sortable(now)));
    values.put(":one", AttributeValues.number(1));
    return values;
  }

  private TransactWriteItem update(
      EmailId id,
      String expression,
      String condition,
      Map<String, String> names,
      Map<String, AttributeValue> values) {
    return TransactWriteItem.builder()
        .update(
            update ->
                update
                    .tableName(settings.emails())
                    .key(AttributeValues.key(id.toString(), AttributeNames.META))
                    .updateExpression(expression)
                    .conditionExpression(condition)
                    .expressionAttributeNames(names)
                    .expressionAttributeValues(values))
        .build();
  }
}
