package dev.outbox.dynamodb;

import dev.outbox.email.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * The plain form of history: an item for each state an email was in, for those who read the table
 * with other tools. Off unless asked for, since it costs a write for each step.
 */
final class PlainForm {

  private final Dynamo dynamo;
  private final Settings settings;

  PlainForm(Dynamo dynamo, Settings settings) {
    this.dynamo = dynamo;
    this.settings = settings;
  }

  void note(List<Row> rows) {
    if (!settings.plainHistory()) {
      return;
    }
    List<WriteRequest> writes = new ArrayList<>();
    for (Row row : rows) {
      writes.add(WriteRequest.builder().putRequest(put -> put.item(item(row))).build());
    }
    dynamo.write(settings.emails(), writes);
    rows.stream().filter(row -> row.ttl != null).forEach(this::keepInStep);
  }

  /** Gives what was written earlier the same end, and no words if the email has none. */
  private void keepInStep(Row row) {
    List<BatchStatementRequest> statements = new ArrayList<>();
    for (State state : State.values()) {
      if (state != row.state) {
        statements.add(
            BatchStatementRequest.builder()
                .statement(
                    "UPDATE \"%s\" SET \"TTL\"=? %s WHERE \"Id\"=? AND \"Status\"=?"
                        .formatted(
                            settings.emails(),
                            row.headline == null ? "REMOVE \"Attributes\".\"Reason\"" : ""))
                .parameters(
                    Values.number(Objects.requireNonNull(row.ttl)),
                    Values.text(row.id.toString()),
                    Values.text(state.wireName()))
                .build());
      }
    }
    dynamo.statements(statements);
  }

  private static Map<String, AttributeValue> item(Row row) {
    Map<String, AttributeValue> attributes = new HashMap<>();
    attributes.put(Names.UPDATED_AT, Values.text(Values.sortable(row.updated)));
    if (row.reason != null) {
      attributes.put(Names.REASON, Values.text(row.reason));
    }
    Map<String, AttributeValue> item =
        new HashMap<>(Values.key(row.id.toString(), row.state.wireName()));
    item.put(Names.ATTRIBUTES, AttributeValue.fromM(attributes));
    if (row.ttl != null) {
      item.put(Names.TTL, Values.number(row.ttl));
    }
    return item;
  }
}
