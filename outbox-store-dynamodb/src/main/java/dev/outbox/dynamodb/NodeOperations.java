package dev.outbox.dynamodb;

import dev.outbox.email.NodeId;
import dev.outbox.store.NodeHeartbeat;
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
final class NodeOperations {

  private static final Duration REMEMBERED = Duration.ofDays(1);
  private static final long REGISTERED = Duration.ofHours(1).toNanos();
  private static final int MANY = 10_000;

  private final DynamoDbRequests dynamo;
  private final DynamoDbSettings settings;
  private final ShardCounts shards;
  private final RetiredNodeScan retired;
  private final ForeignItemLog foreignItems;
  private final Map<NodeId, Long> registered = new ConcurrentHashMap<>();

  NodeOperations(
      DynamoDbRequests dynamo,
      DynamoDbSettings settings,
      ShardCounts shards,
      QueueIndex queue,
      ForeignItemLog foreignItems) {
    this.dynamo = dynamo;
    this.settings = settings;
    this.shards = shards;
    this.retired = new RetiredNodeScan(node -> !queue.held(node, 1).isEmpty());
    this.foreignItems = foreignItems;
  }

  private static Map<String, AttributeValue> key(NodeId node) {
    return AttributeValues.key(AttributeNames.NODES, AttributeNames.NODE_PREFIX + node.value());
  }

  List<NodeHeartbeat> beat(NodeId node) {
    dynamo.update(
        update ->
            update
                .tableName(settings.emails())
                .key(key(node))
                .updateExpression("ADD #beat :one REMOVE #retired, #ttl")
                .expressionAttributeNames(
                    Map.of(
                        "#beat",
                        AttributeNames.BEAT,
                        "#retired",
                        AttributeNames.RETIRED,
                        "#ttl",
                        AttributeNames.TTL))
                .expressionAttributeValues(Map.of(":one", AttributeValues.number(1))));
    registered.put(node, System.nanoTime());
    return all();
  }

  /** Returns all that beat, and of the others those that hold something. */
  List<NodeHeartbeat> all() {
    List<NodeHeartbeat> beats = new ArrayList<>();
    Map<NodeId, NodeHeartbeat> silent = new LinkedHashMap<>();
    for (Map<String, AttributeValue> item : items()) {
      NodeId node = node(item);
      if (AttributeNames.SHARDS.equals(AttributeValues.textOf(item, AttributeNames.STATUS))) {
        shards.learn(item);
      } else if (node == null) {
        foreignItems.met(settings.emails(), AttributeNames.NODES);
      } else {
        NodeHeartbeat beat =
            new NodeHeartbeat(node, AttributeValues.numberOf(item, AttributeNames.BEAT, 0));
        if (item.containsKey(AttributeNames.BEAT) && !item.containsKey(AttributeNames.RETIRED)) {
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
    String status = AttributeValues.needed(item, AttributeNames.STATUS);
    try {
      return status.startsWith(AttributeNames.NODE_PREFIX)
          ? new NodeId(status.substring(AttributeNames.NODE_PREFIX.length()))
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
                .expressionAttributeValues(
                    Map.of(":nodes", AttributeValues.text(AttributeNames.NODES))));
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
                .expressionAttributeNames(Map.of("#ttl", AttributeNames.TTL)));
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
                .expressionAttributeNames(
                    Map.of("#retired", AttributeNames.RETIRED, "#ttl", AttributeNames.TTL))
                .expressionAttributeValues(
                    Map.of(
                        ":yes",
                        AttributeValues.number(1),
                        ":ttl",
                        AttributeValues.number(Instant.now().plus(REMEMBERED).getEpochSecond()))));
  }

  /** Returns whether a node's counter stands where it was seen. */
  boolean stands(NodeId node, long beat) {
    return AttributeValues.numberOf(
            dynamo.get(settings.emails(), key(node)).orElse(Map.of()), AttributeNames.BEAT, 0)
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
                    .expressionAttributeNames(Map.of("#beat", AttributeNames.BEAT))
                    .expressionAttributeValues(Map.of(":beat", AttributeValues.number(beat))))
        .build();
  }
}
