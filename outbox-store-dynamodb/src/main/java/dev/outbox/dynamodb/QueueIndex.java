package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.PriorityLane;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * The index by which emails are claimed. It is sparse and sharded: waiting emails are in the
 * partitions of their state, held ones in those of their node, and those of the log are not in it.
 */
final class QueueIndex {

  private final DynamoDbRequests dynamo;
  private final DynamoDbSettings settings;
  private final ShardCounts shards;
  private final ParallelRequests parallel;
  private final ForeignItemLog foreignItems;

  QueueIndex(
      DynamoDbRequests dynamo,
      DynamoDbSettings settings,
      ShardCounts shards,
      ParallelRequests parallel,
      ForeignItemLog foreignItems) {
    this.dynamo = dynamo;
    this.settings = settings;
    this.shards = shards;
    this.parallel = parallel;
    this.foreignItems = foreignItems;
  }

  /** An email's entry, as it was when the index was last brought up to date. */
  record Entry(EmailId id, String queue, String place, long token, long size, Instant created) {

    private static final long UNREADABLE = -1;

    /** Reads an entry; empty if it is none of ours. */
    static Optional<Entry> of(Map<String, AttributeValue> item) {
      String queue = AttributeValues.needed(item, AttributeNames.QUEUE);
      boolean known =
          PartitionKeys.isKept(queue)
              || (AttributeNames.META.equals(AttributeValues.textOf(item, AttributeNames.STATUS))
                  && EmailItemReader.mayBeOurs(item));
      return AttributeValues.idOf(item, AttributeNames.ID)
          .filter(id -> known)
          .map(id -> of(id, queue, item));
    }

    private static Entry of(EmailId id, String queue, Map<String, AttributeValue> item) {
      long created = AttributeValues.numberOf(item, AttributeNames.CREATED, UNREADABLE);
      return new Entry(
          id,
          queue,
          AttributeValues.needed(item, AttributeNames.DUE),
          AttributeValues.numberOf(item, AttributeNames.TOKEN, UNREADABLE),
          AttributeValues.numberOf(item, AttributeNames.SIZE, 0),
          created == UNREADABLE ? PartitionKeys.timeOf(id) : AttributeValues.ofMicros(created));
    }

    /** Returns whether its token can be read, without which it cannot be taken by it. */
    boolean hasToken() {
      return token != UNREADABLE;
    }
  }

  private static final Comparator<Entry> BY_PLACE =
      Comparator.comparing(Entry::place).thenComparing(Entry::id);

  /** Returns what is due in each lane, the longest due first. */
  Map<PriorityLane, List<Entry>> due(
      State state, Set<PriorityLane> lanes, Instant until, int limit) {
    Map<PriorityLane, List<Cursor>> cursors = new EnumMap<>(PriorityLane.class);
    for (PriorityLane lane : lanes) {
      cursors.put(
          lane,
          cursors(
              shard -> PartitionKeys.waiting(state, shard),
              lane.name() + "#",
              PartitionKeys.place(lane, until),
              limit));
    }
    parallel.each(cursors.values().stream().flatMap(List::stream).toList(), Cursor::fill);
    Map<PriorityLane, List<Entry>> due = new EnumMap<>(PriorityLane.class);
    cursors.forEach((lane, all) -> due.put(lane, merged(all, limit)));
    return due;
  }

  /** Returns what was settled until then and waits for nobody, the oldest first. */
  List<Entry> settled(State state, Instant until, int limit) {
    return first(
        shard -> PartitionKeys.waiting(state, shard),
        PartitionKeys.SETTLED + "#",
        PartitionKeys.settledPlace(until),
        limit);
  }

  /** Returns the content of emails that were sent until then, the oldest first. */
  List<Entry> kept(Instant until, int limit) {
    return first(
        PartitionKeys::kept, PartitionKeys.SETTLED + "#", PartitionKeys.settledPlace(until), limit);
  }

  /** Returns what a node holds. */
  List<Entry> held(NodeId node, int limit) {
    return first(shard -> PartitionKeys.owned(node, shard), "", "\uffff", limit);
  }

  /** Returns all that nobody holds in a state, up to a bound. */
  List<Entry> unowned(State state, int limit) {
    return first(shard -> PartitionKeys.waiting(state, shard), "", "\uffff", limit);
  }

  private List<Entry> first(Naming partition, String from, String to, int limit) {
    if (limit < 1) {
      return List.of();
    }
    List<Cursor> cursors = cursors(partition, from, to, limit);
    parallel.each(cursors, Cursor::fill);
    return merged(cursors, limit);
  }

  private List<Cursor> cursors(Naming partition, String from, String to, int limit) {
    int count = shards.queue();
    int page = Math.min(limit, Math.max(20, limit / count + 10));
    return IntStream.range(0, count)
        .mapToObj(shard -> new Cursor(partition.of(shard), from, to, page))
        .toList();
  }

  /** Merges the shards, reading on in one only when what was read of it is used up. */
  private static List<Entry> merged(List<Cursor> cursors, int limit) {
    PriorityQueue<Cursor> heads = new PriorityQueue<>(Comparator.comparing(Cursor::peek, BY_PLACE));
    cursors.stream().filter(cursor -> !cursor.isEmpty()).forEach(heads::add);
    List<Entry> entries = new ArrayList<>();
    while (entries.size() < limit && !heads.isEmpty()) {
      Cursor next = heads.remove();
      entries.add(next.take());
      if (entries.size() < limit && !next.isEmpty()) {
        heads.add(next);
      }
    }
    return entries;
  }

  private interface Naming {
    String of(int shard);
  }

  /** The entries of one partition in order, read page by page. */
  private final class Cursor {

    private final String partition;
    private final String from;
    private final String to;
    private final int page;
    private final Deque<Entry> read = new ArrayDeque<>();
    private Map<String, AttributeValue> last = Map.of();
    private boolean more = true;

    Cursor(String partition, String from, String to, int page) {
      this.partition = partition;
      this.from = from;
      this.to = to;
      this.page = page;
    }

    Cursor fill() {
      while (more && read.isEmpty()) {
        QueryResponse answer =
            dynamo.page(
                query -> {
                  query
                      .tableName(settings.emails())
                      .indexName(AttributeNames.QUEUE_INDEX)
                      .keyConditionExpression("#queue = :queue AND #due BETWEEN :from AND :to")
                      .expressionAttributeNames(
                          Map.of("#queue", AttributeNames.QUEUE, "#due", AttributeNames.DUE))
                      .expressionAttributeValues(
                          Map.of(
                              ":queue", AttributeValues.text(partition),
                              ":from", AttributeValues.text(from.isEmpty() ? " " : from),
                              ":to", AttributeValues.text(to)))
                      .limit(page);
                  if (!last.isEmpty()) {
                    query.exclusiveStartKey(last);
                  }
                });
        answer
            .items()
            .forEach(
                item ->
                    Entry.of(item)
                        .ifPresentOrElse(
                            read::add, () -> foreignItems.met(settings.emails(), partition)));
        last = answer.lastEvaluatedKey();
        more = !last.isEmpty();
      }
      return this;
    }

    boolean isEmpty() {
      return fill().read.isEmpty();
    }

    Entry peek() {
      return fill().read.element();
    }

    Entry take() {
      return fill().read.remove();
    }
  }
}
