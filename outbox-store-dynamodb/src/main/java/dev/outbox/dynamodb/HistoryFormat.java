package dev.outbox.dynamodb;

import dev.outbox.email.FailureCode;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.HistoryRow;
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
final class HistoryFormat {

  private static final String FROM = "From";
  private static final String TO = "To";
  private static final String AT = "At";
  private static final String GENERATION = "Generation";
  private static final String ATTEMPT = "Attempt";
  private static final String NODE = "Node";
  private static final String CODE = "Code";
  static final String DETAIL = "Detail";

  private HistoryFormat() {}

  static String status(int seq) {
    return Names.STATE + "%010d".formatted(seq);
  }

  /** Returns the number of a step; zero if a sort key is no step's. */
  static int seq(String status) {
    try {
      return status.startsWith(Names.STATE)
          ? Integer.parseInt(status.substring(Names.STATE.length()))
          : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  static Map<String, AttributeValue> write(String id, int seq, HistoryRow row, @Nullable Long ttl) {
    Map<String, AttributeValue> item = new HashMap<>(Values.key(id, status(seq)));
    item.put(FROM, Values.text(row.from().wireName()));
    item.put(TO, Values.text(row.to().wireName()));
    item.put(AT, Values.micros(row.at()));
    put(item, Names.PREPARING, row.preparing());
    put(item, Names.SENDING, row.sending());
    item.put(GENERATION, Values.number(row.generation()));
    item.put(ATTEMPT, Values.number(row.attempt()));
    put(item, NODE, row.node());
    put(item, CODE, row.code());
    put(item, Names.REASON, row.reason());
    put(item, DETAIL, row.detail());
    if (ttl != null) {
      item.put(Names.TTL, Values.number(ttl));
    }
    return item;
  }

  private static void put(Map<String, AttributeValue> item, String name, @Nullable Object value) {
    if (value instanceof Instant time) {
      item.put(name, Values.micros(time));
    } else if (value != null) {
      item.put(name, Values.text(value.toString()));
    }
  }

  /** Reads a step; empty if it cannot be read. */
  static Optional<HistoryRow> readable(Map<String, AttributeValue> item) {
    try {
      return Optional.of(read(item));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  private static HistoryRow read(Map<String, AttributeValue> item) {
    String node = Values.textOf(item, NODE);
    String code = Values.textOf(item, CODE);
    return new HistoryRow(
        state(Values.needed(item, FROM)),
        state(Values.needed(item, TO)),
        Values.ofMicros(Values.numberOf(item, AT, 0)),
        time(item, Names.PREPARING),
        time(item, Names.SENDING),
        (int) Values.numberOf(item, GENERATION, 0),
        (int) Values.numberOf(item, ATTEMPT, 0),
        node == null ? null : new NodeId(node),
        code == null ? null : FailureCode.valueOf(code),
        Values.textOf(item, Names.REASON),
        Values.textOf(item, DETAIL));
  }

  static State state(String wireName) {
    return State.ofWireName(wireName)
        .orElseThrow(() -> new IllegalStateException("a state that only a newer release knows"));
  }

  private static @Nullable Instant time(Map<String, AttributeValue> item, String name) {
    return item.containsKey(name) ? Values.ofMicros(Values.numberOf(item, name, 0)) : null;
  }

  /** Reads the plain form, an item for each state, as steps from one to the next. */
  static List<HistoryRow> plain(List<Map<String, AttributeValue>> items) {
    List<Plain> records =
        items.stream()
            .flatMap(item -> Plain.of(item).stream())
            .sorted(Comparator.comparing(Plain::at))
            .toList();
    List<HistoryRow> rows = new ArrayList<>();
    State before = State.ACCEPTED;
    for (Plain each : records) {
      rows.add(
          new HistoryRow(
              before, each.state, each.at, null, null, 0, 0, null, null, each.reason, null));
      before = each.state;
    }
    return rows;
  }

  private record Plain(State state, Instant at, @Nullable String reason) {

    static Optional<Plain> of(Map<String, AttributeValue> item) {
      AttributeValue attributes = item.get(Names.ATTRIBUTES);
      Optional<State> state = State.ofWireName(Values.needed(item, Names.STATUS));
      if (attributes == null || !attributes.hasM() || state.isEmpty()) {
        return Optional.empty();
      }
      Instant at = Values.timeOf(attributes.m(), Names.UPDATED_AT);
      return Optional.of(
          new Plain(
              state.get(),
              at == null ? Instant.EPOCH : at,
              Values.textOf(attributes.m(), Names.REASON)));
    }
  }
}
