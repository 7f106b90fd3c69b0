package dev.outbox.dynamodb;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Over how many partitions things are spread, by all nodes there are and were.
 *
 * <p>Each node writes with its own setting and reads wherever any node may have written. So the
 * setting can be changed from one start to the next, also one node after the other: what is stored
 * is still found. The numbers are kept in an item beside those of the nodes, which is read with
 * every beat.
 */
final class ShardCounts {

  /** What a node can be set to. */
  static final int MOST = 256;

  private static final long STALE = Duration.ofMinutes(1).toNanos();
  private static final Map<String, AttributeValue> KEY =
      AttributeValues.key(AttributeNames.NODES, AttributeNames.SHARDS);

  private final DynamoDbRequests dynamo;
  private final DynamoDbSettings settings;
  private volatile @Nullable Known known;

  ShardCounts(DynamoDbRequests dynamo, DynamoDbSettings settings) {
    this.dynamo = dynamo;
    this.settings = settings;
  }

  /** Returns how many partitions of the queue have to be looked at. */
  int queue() {
    return known().queue;
  }

  /** Returns over how many partitions a day was ever spread. */
  Set<Integer> log() {
    return known().log;
  }

  /** Returns how many partitions of a day have to be looked at. */
  int logMost() {
    return log().stream().mapToInt(Integer::intValue).max().orElse(1);
  }

  /** Takes over what a beat has read by the way. */
  void learn(Map<String, AttributeValue> item) {
    known =
        new Known(
            numbers(item, AttributeNames.QUEUE_SHARDS).stream()
                .mapToInt(Integer::intValue)
                .reduce(settings.shards(), Math::max),
            Stream.concat(
                    Stream.of(settings.logShards()),
                    numbers(item, AttributeNames.LOG_SHARDS).stream())
                .collect(Collectors.toUnmodifiableSet()),
            System.nanoTime());
  }

  private static Set<Integer> numbers(Map<String, AttributeValue> item, String name) {
    AttributeValue numbers = item.get(name);
    return numbers == null
        ? Set.of()
        : numbers.ns().stream()
            .map(
                number ->
                    AttributeValues.numberOf(Map.of(name, AttributeValue.fromN(number)), name, 0))
            .filter(number -> number > 0 && number <= MOST)
            .map(Long::intValue)
            .collect(Collectors.toUnmodifiableSet());
  }

  private Known known() {
    Known now = known;
    if (now != null && System.nanoTime() - now.readAt < STALE) {
      return now;
    }
    if (now == null) {
      announce();
    }
    learn(dynamo.get(settings.emails(), KEY).orElse(Map.of()));
    return Objects.requireNonNull(known);
  }

  /** Writes this node's numbers down before anything is stored by them. */
  private void announce() {
    Map<String, AttributeValue> found = dynamo.get(settings.emails(), KEY).orElse(Map.of());
    // To what is no set of numbers, none can be added.
    List<String> spoilt =
        Stream.of(AttributeNames.QUEUE_SHARDS, AttributeNames.LOG_SHARDS)
            .filter(name -> found.containsKey(name) && !found.get(name).hasNs())
            .toList();
    if (!spoilt.isEmpty()) {
      dynamo.update(
          update ->
              update
                  .tableName(settings.emails())
                  .key(KEY)
                  .updateExpression("REMOVE " + String.join(", ", spoilt)));
    }
    dynamo.update(
        update ->
            update
                .tableName(settings.emails())
                .key(KEY)
                .updateExpression(
                    "ADD %s :queue, %s :log"
                        .formatted(AttributeNames.QUEUE_SHARDS, AttributeNames.LOG_SHARDS))
                .expressionAttributeValues(
                    Map.of(
                        ":queue",
                        number(settings.shards()),
                        ":log",
                        number(settings.logShards()))));
  }

  private static AttributeValue number(int only) {
    return AttributeValue.fromNs(List.of(Integer.toString(only)));
  }

  private record Known(int queue, Set<Integer> log, long readAt) {}
}
