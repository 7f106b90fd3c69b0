package dev.outbox.dynamodb;

import dev.outbox.email.FailureCode;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.HistoryRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** How the unusual is written: an item for each, numbered in order. */
final class HistoryMapper {

  private static final String FROM = "From";
  private static final String TO = "To";
  private static final String AT = "At";
  private static final String GENERATION = "Generation";
  private static final String ATTEMPT = "Attempt";
  private static final String NODE = "Node";
  private static final String CODE = "Code";
  static final String DETAIL = "Detail";

  private HistoryMapper() {}

  static String status(int seq) {
    return AttributeNames.STATE + "%010d".formatted(seq);
  }

  /** Returns the number of a step; zero if a sort key is no step's. */
  static int seq(String status) {
    try {
      return status.startsWith(AttributeNames.STATE)
          ? Integer.parseInt(status.substring(AttributeNames.STATE.length()))
          : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  static Map<String, AttributeValue> write(
      String id, int seq, HistoryRecord row, @Nullable Long ttl) {
    Map<String, AttributeValue> item = new HashMap<>(AttributeValues.key(id, status(seq)));
    item.put(FROM, AttributeValues.text(row.from().wireName()));
    item.put(TO, AttributeValues.text(row.to().wireName()));
    item.put(AT, AttributeValues.micros(row.at()));
    put(item, AttributeNames.PREPARING, row.preparing());
    put(item, AttributeNames.SENDING, row.sending());
    item.put(GENERATION, AttributeValues.number(row.generation()));
    item.put(ATTEMPT, AttributeValues.number(row.attempt()));
    put(item, NODE, row.node());
    put(item, CODE, row.code());
    put(item, AttributeNames.REASON, row.reason());
    put(item, DETAIL, row.detail());
    if (ttl != null) {
      item.put(AttributeNames.TTL, AttributeValues.number(ttl));
    }
    return item;
  }

  private static void put(Map<String, AttributeValue> item, String name, @Nullable Object value) {
    if (value instanceof Instant time) {
      item.put(name, AttributeValues.micros(time));
    } else if (value != null) {
      item.put(name, AttributeValues.text(value.toString()));
    }
  }

  /** Reads a step; empty if it cannot be read. */
  static Optional<HistoryRecord> readable(Map<String, AttributeValue> item) {
    try {
      return Optional.of(read(item));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  private static HistoryRecord read(Map<String, AttributeValue> item) {
    String node = AttributeValues.textOf(item, NODE);
    String code = AttributeValues.textOf(item, CODE);
    return new HistoryRecord(
        state(AttributeValues.needed(item, FROM)),
        state(AttributeValues.needed(item, TO)),
        AttributeValues.ofMicros(AttributeValues.numberOf(item, AT, 0)),
        time(item, AttributeNames.PREPARING),
        time(item, AttributeNames.SENDING),
        (int) AttributeValues.numberOf(item, GENERATION, 0),
        (int) AttributeValues.numberOf(item, ATTEMPT, 0),
        node == null ? null : new NodeId(node),
        code == null ? null : FailureCode.valueOf(code),
        AttributeValues.textOf(item, AttributeNames.REASON),
        AttributeValues.textOf(item, DETAIL));
  }

  static State state(String wireName) {
    return State.ofWireName(wireName)
        .orElseThrow(() -> new IllegalStateException("a state that only a newer release knows"));
  }

  private static @Nullable Instant time(Map<String, AttributeValue> item, String name) {
    return item.containsKey(name)
        ? AttributeValues.ofMicros(AttributeValues.numberOf(item, name, 0))
        : null;
  }

  /** Reads the plain form, an item for each state, as steps from one to the next. */
  static List<HistoryRecord> plain(List<Map<String, AttributeValue>> items) {
    List<Plain> records =
        items.stream()
            .flatMap(item -> Plain.of(item).stream())
            .sorted(Comparator.comparing(Plain::at))
            .toList();
    List<HistoryRecord> rows = new ArrayList<>();
    State before = State.ACCEPTED;
    for (Plain each : records) {
      rows.add(
          new HistoryRecord(
              before, each.state, each.at, null, null, 0, 0, null, null, each.reason, null));
      before = each.state;
    }
    return rows;
  }

  private record Plain(State state, Instant at, @Nullable String reason) {

    static Optional<Plain> of(Map<String, AttributeValue> item) {
      AttributeValue attributes = item.get(AttributeNames.ATTRIBUTES);
      Optional<State> state = State.ofWireName(AttributeValues.needed(item, AttributeNames.STATUS));
      if (attributes == null || !attributes.hasM() || state.isEmpty()) {
        return Optional.empty();
      }
      Instant at = AttributeValues.timeOf(attributes.m(), AttributeNames.UPDATED_AT);
      return Optional.of(
          new Plain(
              state.get(),
              at == null ? Instant.EPOCH : at,
              AttributeValues.textOf(attributes.m(), AttributeNames.REASON)));
    }
  }
}
