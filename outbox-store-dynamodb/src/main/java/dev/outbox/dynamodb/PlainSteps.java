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
 * transaction for each email. The statements that {@link Claims} makes otherwise write single
 * items.
 */
final class PlainSteps {

  private static final String STEP =
      "SET #attributes.#latest = :to, #attributes.#at = :at, #version = #version + :one";

  private final Settings settings;
  private final PlainForm plain;

  PlainSteps(Settings settings, PlainForm plain) {
    this.settings = settings;
    this.plain = plain;
  }

  /** Gives an email to a node, if it still waits where the index says. */
  List<TransactWriteItem> claim(ClaimRequest request, Queue.Entry entry, Instant now) {
    State to = request.busy();
    Map<String, String> names = names();
    names.put("#owner", Names.OWNER);
    names.put("#queue", Names.QUEUE);
    names.put("#due", Names.DUE);
    names.put("#token", Names.TOKEN);
    Map<String, AttributeValue> values = values(to, now);
    values.put(":owner", Values.text(request.node().value()));
    values.put(
        ":queue",
        Values.text(
            Partitions.owned(request.node(), Partitions.shard(entry.id(), settings.shards()))));
    values.put(":fromQueue", Values.text(entry.queue()));
    values.put(":fromDue", Values.text(entry.place()));
    values.put(":fromToken", Values.number(entry.token()));
    String time = "";
    if (to == State.INTAKING || to == State.PROCESSING) {
      time = ", #time = :time";
      names.put("#time", to == State.INTAKING ? Names.PREPARING : Names.SENDING);
      values.put(":time", Values.micros(now));
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
    names.put("#owner", Names.OWNER);
    names.put("#token", Names.TOKEN);
    names.put("#prepared", Names.PREPARED);
    names.put("#sending", Names.SENDING);
    Map<String, AttributeValue> values = values(State.PROCESSING, now);
    values.put(":time", Values.micros(now));
    values.put(":token", Values.number(claim.token()));
    values.put(":owner", Values.text(claim.node().value()));
    values.put(":from", Values.text(State.INTAKING.wireName()));
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
    names.put("#attributes", Names.ATTRIBUTES);
    names.put("#latest", Names.LATEST);
    names.put("#at", Names.UPDATED_AT);
    names.put("#version", Names.VERSION);
    return names;
  }

  private static Map<String, AttributeValue> values(State to, Instant now) {
    Map<String, AttributeValue> values = new HashMap<>();
    values.put(":to", Values.text(to.wireName()));
    values.put(":at", Values.text(Values.sortable(now)));
    values.put(":one", Values.number(1));
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
                    .key(Values.key(id.toString(), Names.META))
                    .updateExpression(expression)
                    .conditionExpression(condition)
                    .expressionAttributeNames(names)
                    .expressionAttributeValues(values))
        .build();
  }
}
