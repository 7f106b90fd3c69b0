package dev.outbox.testkit;

import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.EmailRecord;
import dev.outbox.store.HistoryRecord;
import dev.outbox.store.PriorityLane;
import dev.outbox.store.RecordChange;
import dev.outbox.store.Sha256;
import dev.outbox.store.StoredContent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The tables of the store in memory, with the index by which emails are claimed. What goes in is
 * turned into bytes and what comes out is made anew. Guarded by the store's lock.
 */
final class InMemoryTables {

  private final NavigableMap<EmailId, byte[]> emails = new TreeMap<>();
  private final NavigableMap<EmailId, byte[]> log = new TreeMap<>();
  private final Map<EmailId, byte[]> payloads = new HashMap<>();
  private final Map<EmailId, byte[]> composed = new HashMap<>();
  private final Map<EmailId, List<byte[]>> history = new HashMap<>();
  private final Map<Sha256, KeyItem> keys = new HashMap<>();
  private final Map<NodeId, Long> nodes = new TreeMap<>(Comparator.comparing(NodeId::value));
  private final NavigableSet<Waiting> waiting = new TreeSet<>();
  private final Map<NodeId, NavigableSet<EmailId>> held = new HashMap<>();

  /** Who has a key. */
  record KeyItem(EmailId id, Sha256 fingerprint) {}

  /** An entry of the index by which emails are claimed. */
  record Waiting(State state, PriorityLane lane, Instant due, EmailId id)
      implements Comparable<Waiting> {
    private static final Comparator<Waiting> ORDER =
        Comparator.comparing(Waiting::state)
            .thenComparing(Waiting::lane)
            .thenComparing(Waiting::due)
            .thenComparing(Waiting::id);

    @Override
    public int compareTo(Waiting other) {
      return ORDER.compare(this, other);
    }
  }

  Optional<EmailRecord> email(EmailId id) {
    return Optional.ofNullable(emails.get(id)).map(RowFormat::decode);
  }

  Optional<EmailRecord> logged(EmailId id) {
    return Optional.ofNullable(log.get(id)).map(RowFormat::decode);
  }

  boolean knows(EmailId id) {
    return emails.containsKey(id) || log.containsKey(id);
  }

  List<EmailRecord> emails() {
    return emails.values().stream().map(RowFormat::decode).toList();
  }

  List<EmailRecord> log() {
    return log.values().stream().map(RowFormat::decode).toList();
  }

  /** Returns every id below the given one, in the log too, the newest first. */
  List<EmailId> idsBefore(@Nullable EmailId bound) {
    NavigableSet<EmailId> ids = new TreeSet<>(emails.keySet());
    ids.addAll(log.keySet());
    return List.copyOf((bound == null ? ids : ids.headSet(bound, false)).descendingSet());
  }

  /** Writes a row to where it belongs: the log once it is archived. */
  void save(EmailRecord row) {
    EmailId id = row.id();
    EmailSummary email = row.email();
    unindex(id);
    if (email.archived()) {
      emails.remove(id);
      log.put(id, RowFormat.encode(row));
      return;
    }
    emails.put(id, RowFormat.encode(row));
    if (email.due() != null) {
      waiting.add(new Waiting(email.state(), row.lane(), email.due(), id));
    }
    if (email.owner() != null) {
      held.computeIfAbsent(email.owner(), node -> new TreeSet<>()).add(id);
    }
  }

  /** Writes all that an event made of an email. */
  void write(EmailId id, RecordChange change) {
    if (change.redactsHistory()) {
      hushHistory(id);
    }
    change.history().forEach(row -> addHistory(id, row));
    if (change.composed() != null) {
      composed.put(id, change.composed().toArray());
    }
    if (change.deletesContent()) {
      dropContent(id);
    }
    if (change.row() != null) {
      save(change.row());
    }
  }

  void remove(EmailRecord row) {
    EmailId id = row.id();
    unindex(id);
    emails.remove(id);
    log.remove(id);
    dropContent(id);
    history.remove(id);
    if (row.key() != null) {
      keys.remove(row.key().key());
    }
  }

  private void unindex(EmailId id) {
    email(id)
        .ifPresent(
            old -> {
              EmailSummary email = old.email();
              if (email.due() != null) {
                waiting.remove(new Waiting(email.state(), old.lane(), email.due(), id));
              }
              if (email.owner() != null) {
                held.getOrDefault(email.owner(), new TreeSet<>()).remove(id);
              }
            });
  }

  /** Returns what may be claimed from a lane by now, the longest due first. */
  List<EmailId> due(State state, PriorityLane lane, Instant now, int limit) {
    List<EmailId> ids = new ArrayList<>();
    for (Waiting entry : waiting.tailSet(new Waiting(state, lane, Instant.MIN, LOWEST))) {
      if (entry.state != state
          || entry.lane != lane
          || entry.due.isAfter(now)
          || ids.size() >= limit) {
        break;
      }
      ids.add(entry.id);
    }
    return ids;
  }

  private static final EmailId LOWEST = new EmailId(new UUID(0, 0));

  List<EmailId> heldBy(NodeId node, int limit) {
    return held.getOrDefault(node, new TreeSet<>()).stream().limit(limit).toList();
  }

  /** Returns every node that beats or holds something. */
  Map<NodeId, Long> beats() {
    Map<NodeId, Long> all = new TreeMap<>(Comparator.comparing(NodeId::value));
    held.forEach(
        (node, ids) -> {
          if (!ids.isEmpty()) {
            all.put(node, 0L);
          }
        });
    all.putAll(nodes);
    return all;
  }

  void beat(NodeId node) {
    nodes.merge(node, 1L, Long::sum);
  }

  long beatOf(NodeId node) {
    return nodes.getOrDefault(node, 0L);
  }

  void forget(NodeId node) {
    nodes.remove(node);
  }

  Optional<KeyItem> key(Sha256 key) {
    return Optional.ofNullable(keys.get(key));
  }

  void takeKey(Sha256 key, KeyItem item) {
    keys.put(key, item);
  }

  @Nullable StoredContent content(EmailId id) {
    byte[] payload = payloads.get(id);
    byte[] message = composed.get(id);
    return payload == null
        ? null
        : new StoredContent(Bytes.copyOf(payload), message == null ? null : Bytes.copyOf(message));
  }

  boolean isComposed(EmailId id) {
    return composed.containsKey(id);
  }

  long contentLength(EmailId id) {
    return (long) payloads.getOrDefault(id, new byte[0]).length
        + composed.getOrDefault(id, new byte[0]).length;
  }

  void savePayload(EmailId id, Bytes payload) {
    payloads.put(id, payload.toArray());
  }

  void dropContent(EmailId id) {
    payloads.remove(id);
    composed.remove(id);
  }

  boolean hasContent(EmailId id) {
    return payloads.containsKey(id);
  }

  List<HistoryRecord> history(EmailId id) {
    return history.getOrDefault(id, List.of()).stream().map(RowFormat::decodeHistory).toList();
  }

  private void addHistory(EmailId id, HistoryRecord row) {
    history.computeIfAbsent(id, key -> new ArrayList<>()).add(RowFormat.encode(row));
  }

  /** Takes the words out of an email's history. */
  private void hushHistory(EmailId id) {
    history.computeIfPresent(
        id,
        (key, rows) ->
            new ArrayList<>(
                rows.stream()
                    .map(RowFormat::decodeHistory)
                    .map(
                        row ->
                            new HistoryRecord(
                                row.from(),
                                row.to(),
                                row.at(),
                                row.preparing(),
                                row.sending(),
                                row.generation(),
                                row.attempt(),
                                row.node(),
                                row.code(),
                                null,
                                null))
                    .map(RowFormat::encode)
                    .toList()));
  }
}
