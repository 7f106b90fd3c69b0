package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * The plain form of history: an item for each state an email was in, for those who read the table
 * with other tools. Written in the transaction that changes the email's row. Off unless asked for,
 * since it costs a write for each step.
 */
final class PlainHistoryWriter {

  private final DynamoDbRequests dynamo;
  private final DynamoDbSettings settings;

  PlainHistoryWriter(DynamoDbRequests dynamo, DynamoDbSettings settings) {
    this.dynamo = dynamo;
    this.settings = settings;
  }

  boolean isOn() {
    return settings.plainHistory();
  }

  /** Returns the write of the state that a row is in; none if the plain form is off. */
  List<TransactWriteItem> state(EmailItem row) {
    return isOn() ? List.of(put(row.id, row.state, row.updated, row.reason, row.ttl)) : List.of();
  }

  /** Returns the write of the state that an email enters by a claim. */
  TransactWriteItem entered(EmailId id, State state, Instant now) {
    return put(id, state, now, null, null);
  }

  /**
   * Returns the writes that give the items of earlier states the time to live of the row.
   *
   * @param hushes whether their reasons are removed as well
   */
  List<TransactWriteItem> earlier(EmailItem row, boolean hushes) {
    List<TransactWriteItem> writes = new ArrayList<>();
    if (isOn()) {
      items(row).forEach(item -> writes.add(lasting(row, item, hushes)));
    }
    return writes;
  }

  private List<Map<String, AttributeValue>> items(EmailItem row) {
    return dynamo
        .query(
            Integer.MAX_VALUE,
            query ->
                query
                    .tableName(settings.emails())
                    .consistentRead(true)
                    .keyConditionExpression("Id = :id")
                    .projectionExpression("#status, Attributes")
                    .expressionAttributeNames(Map.of("#status", AttributeNames.STATUS))
                    .expressionAttributeValues(
                        Map.of(":id", AttributeValues.text(row.id.toString()))))
        .stream()
        .filter(
            item ->
                State.ofWireName(AttributeValues.needed(item, AttributeNames.STATUS))
                    .filter(state -> state != row.state)
                    .isPresent())
        .toList();
  }

  private TransactWriteItem lasting(
      EmailItem row, Map<String, AttributeValue> item, boolean hushes) {
    Long ttl = row.ttl;
    AttributeValue attributes = item.get(AttributeNames.ATTRIBUTES);
    List<String> removals = new ArrayList<>();
    if (ttl == null) {
      removals.add("#ttl");
    }
    if (hushes && attributes != null && attributes.hasM()) {
      removals.add("Attributes.Reason");
    }
    String set = ttl == null ? "" : "SET #ttl = :ttl ";
    String remove = removals.isEmpty() ? "" : "REMOVE " + String.join(", ", removals);
    return TransactWriteItem.builder()
        .update(
            update ->
                update
                    .tableName(settings.emails())
                    .key(
                        AttributeValues.key(
                            row.id.toString(), AttributeValues.needed(item, AttributeNames.STATUS)))
                    .conditionExpression("attribute_exists(Id)")
                    .updateExpression(set + remove)
                    .expressionAttributeNames(Map.of("#ttl", AttributeNames.TTL))
                    .expressionAttributeValues(
                        ttl == null ? null : Map.of(":ttl", AttributeValues.number(ttl))))
        .build();
  }

  private TransactWriteItem put(
      EmailId id, State state, Instant at, @Nullable String reason, @Nullable Long ttl) {
    Map<String, AttributeValue> attributes = new HashMap<>();
    attributes.put(AttributeNames.UPDATED_AT, AttributeValues.text(AttributeValues.sortable(at)));
    if (reason != null) {
      attributes.put(AttributeNames.REASON, AttributeValues.text(reason));
    }
    Map<String, AttributeValue> item =
        new HashMap<>(AttributeValues.key(id.toString(), state.wireName()));
    item.put(AttributeNames.ATTRIBUTES, AttributeValue.fromM(attributes));
    if (ttl != null) {
      item.put(AttributeNames.TTL, AttributeValues.number(ttl));
    }
    return TransactWriteItem.builder()
        .put(put -> put.tableName(settings.emails()).item(item))
        .build();
  }
}
