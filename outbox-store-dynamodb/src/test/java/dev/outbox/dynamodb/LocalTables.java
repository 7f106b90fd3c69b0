package dev.outbox.dynamodb;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** Fresh tables for one test, and what a test does to them from outside. */
final class LocalTables implements AutoCloseable {

  private static final Set<String> MICROS =
      Set.of("Created", "Preparing", "Prepared", "Sending", "Sent", "Settled", "Deadline", "At");
  private static final Set<String> SECONDS = Set.of("TTL", "Expires", "KeyExpires");

  /** Emptying a table is much faster than making one. */
  private static final Deque<DynamoDbSchema> EMPTY = new ConcurrentLinkedDeque<>();

  private final DynamoDbClient client;
  private final DynamoDbSchema schema;

  LocalTables(DynamoDbClient client) {
    this.client = client;
    DynamoDbSchema used = EMPTY.poll();
    this.schema = used == null ? DynamoDbSchema.of("t-" + UUID.randomUUID()) : used;
    if (used == null) {
      schema.create(client);
    }
  }

  String name() {
    return schema.table();
  }

  String logName() {
    return schema.logTable();
  }

  List<Map<String, AttributeValue>> emails() {
    return items(schema.table());
  }

  List<Map<String, AttributeValue>> log() {
    return items(schema.logTable());
  }

  private List<Map<String, AttributeValue>> items(String table) {
    return client.scanPaginator(scan -> scan.tableName(table).consistentRead(true)).items().stream()
        .toList();
  }

  /** Shifts all stored times back. */
  void advance(Duration time) {
    for (String table : List.of(schema.table(), schema.logTable())) {
      for (Map<String, AttributeValue> item : items(table)) {
        Map<String, AttributeValue> shifted = shifted(item, time);
        if (!shifted.equals(item)) {
          client.putItem(put -> put.tableName(table).item(shifted));
        }
      }
    }
  }

  private static Map<String, AttributeValue> shifted(
      Map<String, AttributeValue> item, Duration time) {
    Map<String, AttributeValue> shifted = new HashMap<>();
    item.forEach((name, value) -> shifted.put(name, shifted(name, value, time)));
    return shifted;
  }

  private static AttributeValue shifted(String name, AttributeValue value, Duration time) {
    if (name.equals("Attributes")) {
      return AttributeValue.fromM(shifted(value.m(), time));
    }
    if (name.equals("UpdatedAt")) {
      return AttributeValues.text(AttributeValues.sortable(Instant.parse(value.s()).minus(time)));
    }
    if (name.equals("Due") && value.s().contains("#")) {
      int hash = value.s().indexOf('#') + 1;
      Instant due = Instant.parse(value.s().substring(hash));
      return AttributeValues.text(
          value.s().substring(0, hash) + AttributeValues.sortable(due.minus(time)));
    }
    if (MICROS.contains(name)) {
      return AttributeValues.number(Long.parseLong(value.n()) - AttributeValues.toMicros(time));
    }
    return SECONDS.contains(name)
        ? AttributeValues.number(Long.parseLong(value.n()) - time.toSeconds())
        : value;
  }

  @Override
  public void close() {
    clear(schema.table(), emails(), Set.of("Id", "Status"));
    clear(schema.logTable(), log(), Set.of("CreatedDate", "ID"));
    EMPTY.add(schema);
  }

  private void clear(String table, List<Map<String, AttributeValue>> items, Set<String> keys) {
    List<WriteRequest> deletes = new ArrayList<>();
    for (Map<String, AttributeValue> item : items) {
      Map<String, AttributeValue> key = new HashMap<>(item);
      key.keySet().retainAll(keys);
      deletes.add(WriteRequest.builder().deleteRequest(delete -> delete.key(key)).build());
    }
    for (List<WriteRequest> part : DynamoDbRequests.parts(deletes, 25)) {
      client.batchWriteItem(batch -> batch.requestItems(Map.of(table, part)));
    }
  }
}
