package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.PriorityLane;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where things are: the partitions of the queue's index and of the log, each of which follows from
 * an email's id and state alone.
 */
final class PartitionKeys {

  /** What the place in the queue of an email that waits for nobody begins with. */
  static final String SETTLED = "SETTLED";

  private static final String OWNER = "OWNER#";
  private static final String KEPT = "KEPT#";

  private PartitionKeys() {}

  static int shard(EmailId id, int shards) {
    return (int) Math.floorMod(mixed(id.value().getLeastSignificantBits()), (long) shards);
  }

  /** The last bits of some generators of ids are a counter; all bits count here. */
  private static long mixed(long bits) {
    long folded = bits ^ (bits >>> 32);
    return (folded * 0x9E3779B97F4A7C15L) >>> 40;
  }

  static String waiting(State state, int shard) {
    return state.wireName() + "#" + shard;
  }

  static String owned(NodeId node, int shard) {
    return OWNER + node.value() + "#" + shard;
  }

  /** Where the content of sent emails waits for its end. */
  static String kept(int shard) {
    return KEPT + shard;
  }

  static boolean isKept(String queue) {
    return queue.startsWith(KEPT);
  }

  static String place(PriorityLane lane, Instant due) {
    return lane.name() + "#" + AttributeValues.sortable(due);
  }

  static String settledPlace(Instant settled) {
    return SETTLED + "#" + AttributeValues.sortable(settled);
  }

  /**
   * Returns when an email at a place in the queue is due; null if it waits for nobody.
   *
   * @param otherwise when it is due if the place cannot be read
   */
  static @Nullable Instant dueAt(String place, Instant otherwise) {
    int hash = place.indexOf('#');
    if (hash < 0 || place.startsWith(SETTLED + "#")) {
      return null;
    }
    try {
      return Instant.parse(place.substring(hash + 1));
    } catch (DateTimeException e) {
      return otherwise;
    }
  }

  /** Returns which node holds what is in a partition of the queue; null if none does. */
  static @Nullable NodeId ownerOf(String queue) {
    int end = queue.lastIndexOf('#');
    try {
      return end < OWNER.length() || !queue.startsWith(OWNER)
          ? null
          : new NodeId(queue.substring(OWNER.length(), end));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Returns the state of what is in a partition of the queue, at a place in it. */
  static Optional<State> stateAt(String queue, String place) {
    int end = queue.lastIndexOf('#');
    return queue.startsWith(OWNER)
        ? State.ofWireName(place)
        : State.ofWireName(end < 0 ? queue : queue.substring(0, end));
  }

  /** Returns when an id was made. */
  static Instant timeOf(EmailId id) {
    return Instant.ofEpochMilli(id.value().getMostSignificantBits() >>> 16);
  }

  /** Returns the day on which an id was made, in UTC. */
  static LocalDate dayOf(EmailId id) {
    return dayOf(timeOf(id));
  }

  static LocalDate dayOf(Instant time) {
    return LocalDate.ofInstant(time, ZoneOffset.UTC);
  }

  static String day(LocalDate day, int shard) {
    return day + "#" + shard;
  }

  static String day(EmailId id, int shards) {
    return day(dayOf(id), shard(id, shards));
  }
}
