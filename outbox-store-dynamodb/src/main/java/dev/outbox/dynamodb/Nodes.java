package dev.outbox.dynamodb;

import dev.outbox.email.NodeId;
import dev.outbox.store.NodeBeat;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * The counters of nodes, an item for each in one partition.
 *
 * <p>A node that retires stays for a day, marked: whether it still holds something is asked of the
 * index, which lags. So does a node that claims without ever having beaten.
 */
final class Nodes {

  private static final Duration REMEMBERED = Duration.ofDays(1);
  private static final long REGISTERED = Duration.ofHours(1).toNanos();
  private static final int MANY = 10_000;

  private final Dynamo dynamo;
  private final Settings settings;
  private final Shards shards;
  private final RetiredNodes retired;
  private final Strangers strangers;
  private final Map<NodeId, Long> registered = new ConcurrentHashMap<>();

  Nodes(Dynamo dynamo, Settings settings, Shards shards, Queue queue, Strangers strangers) {
    this.dynamo = dynamo;
    this.settings = settings;
    this.shards = shards;
    this.retired = new RetiredNodes(node -> !queue.held(node, 1).isEmpty());
    this.strangers = strangers;
  }

  private static Map<String, AttributeValue> key(NodeId node) {
    return Values.key(Names.NODES, Names.NODE_PREFIX + node.value());
  }

  List<NodeBeat> beat(NodeId node) {
    dynamo.update(
        update ->
            update
                .tableName(settings.emails())
                .key(key(node))
                .updateExpression("ADD #beat :one REMOVE #retired, #ttl")
                .expressionAttributeNames(
                    Map.of("#beat", Names.BEAT, "#retired", Names.RETIRED, "#ttl", Names.TTL))
                .expressionAttributeValues(Map.of(":one", Values.number(1))));
    registered.put(node, System.nanoTime());
    return all();
  }

  /** Returns all that beat, and of the others those that hold something. */
  List<NodeBeat> all() {
    List<NodeBeat> beats = new ArrayList<>();
    Map<NodeId, NodeBeat> silent = new LinkedHashMap<>();
    for (Map<String, AttributeValue> item : items()) {
      NodeId node = node(item);
      if (Names.SHARDS.equals(Values.textOf(item, Names.STATUS))) {
        shards.learn(item);
      } else if (node == null) {
        strangers.met(settings.emails(), Names.NODES);
      } else {
        NodeBeat beat = new NodeBeat(node, Values.numberOf(item, Names.BEAT, 0));
        if (item.containsKey(Names.BEAT) && !item.containsKey(Names.RETIRED)) {
          beats.add(beat);
        } else {
          silent.put(node, beat);
        }
      }
    }
    silent.keySet().retainAll(retired.holding(silent.keySet()));
    beats.addAll(silent.values());
    return beats;
  }

  /** Returns whose item it is; null if it is no node's. */
  private static @Nullable NodeId node(Map<String, AttributeValue> item) {
    String status = Values.needed(item, Names.STATUS);
    try {
      return status.startsWith(Names.NODE_PREFIX)
          ? new NodeId(status.substring(Names.NODE_PREFIX.length()))
          : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private List<Map<String, AttributeValue>> items() {
    return dynamo.query(
        MANY,
        query ->
            query
                .tableName(settings.emails())
                .consistentRead(true)
                .keyConditionExpression("Id = :nodes")
                .expressionAttributeValues(Map.of(":nodes", Values.text(Names.NODES))));
  }

  /** Sees to it that a node that is about to claim is known, whether it beats or not. */
  void register(NodeId node) {
    Long before = registered.get(node);
    if (before != null && System.nanoTime() - before < REGISTERED) {
      return;
    }
    dynamo.update(
        update ->
            update
                .tableName(settings.emails())
                .key(key(node))
                .updateExpression("REMOVE #ttl")
                .expressionAttributeNames(Map.of("#ttl", Names.TTL)));
    registered.put(node, System.nanoTime());
  }

  void retire(NodeId node) {
    registered.remove(node);
    dynamo.update(
        update ->
            update
                .tableName(settings.emails())
                .key(key(node))
                .updateExpression("SET #retired = :yes, #ttl = :ttl")
                .expressionAttributeNames(Map.of("#retired", Names.RETIRED, "#ttl", Names.TTL))
                .expressionAttributeValues(
                    Map.of(
                        ":yes",
                        Values.number(1),
                        ":ttl",
                        Values.number(Instant.now().plus(REMEMBERED).getEpochSecond()))));
  }

  /** Returns whether a node's counter stands where it was seen. */
  boolean stands(NodeId node, long beat) {
    return Values.numberOf(dynamo.get(settings.emails(), key(node)).orElse(Map.of()), Names.BEAT, 0)
        == beat;
  }

  /** Returns the same as a condition of a transaction. */
  TransactWriteItem standing(NodeId node, long beat) {
    return TransactWriteItem.builder()
        .conditionCheck(
            check ->
                check
                    .tableName(settings.emails())
                    .key(key(node))
                    .conditionExpression(
                        beat == 0
                            ? "attribute_not_exists(#beat) OR #beat = :beat"
                            : "#beat = :beat")
                    .expressionAttributeNames(Map.of("#beat", Names.BEAT))
                    .expressionAttributeValues(Map.of(":beat", Values.number(beat))))
        .build();
  }
}
