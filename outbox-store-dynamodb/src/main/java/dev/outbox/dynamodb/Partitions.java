package dev.outbox.dynamodb;

import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.Lane;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Where things are: the partitions of the queue's index and of the log, each of which follows from
 * an email's id and state alone.
 */
final class Partitions {

  /** What the place in the queue of an email that waits for nobody begins with. */
  static final String SETTLED = "SETTLED";

  private static final long MILLIS_A_DAY = 24L * 60 * 60 * 1_000;

  private Partitions() {}

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
    return "OWNER#" + node.value() + "#" + shard;
  }

  /** Where the content of sent emails waits for its end. */
  static String kept(int shard) {
    return "KEPT#" + shard;
  }

  static String place(Lane lane, Instant due) {
    return lane.name() + "#" + Values.sortable(due);
  }

  static String settledPlace(Instant settled) {
    return SETTLED + "#" + Values.sortable(settled);
  }

  /** Returns when an email at a place in the queue is due; null if it waits for nobody. */
  static @Nullable Instant dueAt(String place) {
    int hash = place.indexOf('#');
    return hash < 0 || place.startsWith(SETTLED + "#")
        ? null
        : Instant.parse(place.substring(hash + 1));
  }

  /** Returns the day on which an id was made, in UTC. */
  static LocalDate dayOf(EmailId id) {
    long millis = id.value().getMostSignificantBits() >>> 16;
    return LocalDate.ofEpochDay(millis / MILLIS_A_DAY);
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
