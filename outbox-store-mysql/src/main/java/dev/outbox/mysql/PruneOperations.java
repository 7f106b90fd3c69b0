package dev.outbox.mysql;

import dev.outbox.content.LargeContent;
import dev.outbox.content.LargeContent.Saved;
import dev.outbox.email.EmailId;
import dev.outbox.email.State;
import dev.outbox.settings.RetentionSettings;
import dev.outbox.store.Sha256;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Removes what is older than its retention, by index, in transactions of bounded size. */
final class PruneOperations {

  /** Files that no row names are swept at this age; no insert takes that long. */
  static final Duration ORPHAN_AGE = Duration.ofHours(24);

  private static final int SWEPT_AT_ONCE = 500;

  private final SqlStatements sql;
  private final TransactionRunner database;
  private final ContentStorage contents;

  PruneOperations(SqlStatements sql, TransactionRunner database, ContentStorage contents) {
    this.sql = sql;
    this.database = database;
    this.contents = contents;
  }

  /** An email that is to go, with its key and its files. */
  private record Old(EmailId id, @Nullable Sha256 key, List<String> files) {}

  int prune(RetentionSettings retention, int limit) {
    int pruned = 0;
    pruned += step(limit, handle -> oldLog(handle, retention.log(), limit), this::remove);
    for (State outcome : List.of(State.FAILED, State.INVALID)) {
      Duration age = outcome == State.FAILED ? retention.failed() : retention.invalid();
      int left = limit - pruned;
      pruned += step(left, handle -> oldEmails(handle, outcome, age, left), this::remove);
    }
    int left = limit - pruned;
    pruned += step(left, handle -> oldContents(handle, retention.sentContent(), left), this::empty);
    int rest = limit - pruned;
    pruned +=
        step(rest, handle -> oldSentContent(handle, retention.sentContent(), rest), this::empty);
    return pruned;
  }

  private int step(int limit, Find find, Remove remove) {
    if (limit <= 0) {
      return 0;
    }
    List<Old> gone =
        database.transact(
            "prune emails",
            handle -> {
              List<Old> old = find.in(handle);
              if (!old.isEmpty()) {
                remove.from(handle, old);
              }
              return old;
            });
    contents.delete(gone.stream().flatMap(old -> old.files.stream()).toList());
    return gone.size();
  }

  private List<Old> oldLog(Handle handle, Duration age, int limit) {
    List<Old> old =
        handle
            .createQuery(sql.oldLog)
            .bind("before", UtcTimestamps.argument(before(handle, age)))
            .bind("limit", limit)
            .map(
                (row, context) ->
                    new Old(
                        BinaryIds.id(row.getBytes("id")), key(row.getBytes("key_hash")), List.of()))
            .list();
    if (old.isEmpty()) {
      return old;
    }
    List<String> files = new ArrayList<>();
    handle
        .createQuery(sql.referencedFiles)
        .bindList("ids", BinaryIds.list(old.stream().map(Old::id).toList()))
        .map((row, context) -> files(row.getString("name"), null))
        .forEach(files::addAll);
    List<Old> withFiles = new ArrayList<>(old);
    withFiles.set(0, new Old(old.get(0).id, old.get(0).key, files));
    return withFiles;
  }

  private List<Old> oldEmails(Handle handle, State outcome, Duration age, int limit) {
    return rows(handle, sql.oldEmails, outcome, age, limit);
  }

  private List<Old> oldSentContent(Handle handle, Duration age, int limit) {
    return rows(handle, sql.oldSentContent, State.SENT, age, limit);
  }

  private List<Old> rows(Handle handle, String query, State outcome, Duration age, int limit) {
    return handle
        .createQuery(query)
        .bind("before", UtcTimestamps.argument(before(handle, age)))
        .bindList("states", states(outcome))
        .bind("limit", limit)
        .map((row, context) -> LockedRow.known(row))
        .map(
            hot ->
                new Old(
                    hot.id(),
                    hot.row().key() == null ? null : hot.row().key().key(),
                    hot.files().toList()))
        .list();
  }

  private List<Old> oldContents(Handle handle, Duration age, int limit) {
    return handle
        .createQuery(sql.oldContents)
        .bind("before", UtcTimestamps.argument(before(handle, age)))
        .bind("limit", limit)
        .map(
            (row, context) ->
                new Old(
                    BinaryIds.id(row.getBytes("id")),
                    null,
                    files(row.getString("payload_file_path"), row.getString("eml_file_path"))))
        .list();
  }

  private Instant before(Handle handle, Duration age) {
    return handle
        .createQuery(sql.now)
        .map((row, context) -> UtcTimestamps.needed(row, "now"))
        .one()
        .minus(age);
  }

  private void remove(Handle handle, List<Old> old) {
    List<byte[]> ids = BinaryIds.list(old.stream().map(Old::id).toList());
    for (String delete :
        List.of(sql.deleteEmails, sql.deleteLog, sql.deleteContents, sql.deleteStatuses)) {
      handle.createUpdate(delete).bindList("ids", ids).execute();
    }
    List<byte[]> keys =
        old.stream()
            .flatMap(each -> Stream.ofNullable(each.key))
            .sorted(Comparator.comparing(Sha256::hex))
            .map(BinaryIds::bytes)
            .toList();
    if (!keys.isEmpty()) {
      handle
          .createUpdate(sql.deleteKeys)
          .bindList("keys", BinaryIds.padded(keys))
          .bindList("ids", ids)
          .execute();
    }
  }

  private void empty(Handle handle, List<Old> old) {
    List<byte[]> ids = BinaryIds.list(old.stream().map(Old::id).toList());
    handle.createUpdate(sql.dropContent).bindList("ids", ids).execute();
    handle.createUpdate(sql.deleteContents).bindList("ids", ids).execute();
  }

  /** Removes old files that no row names: what a crash left between file and row. */
  void sweep(LargeContent large) {
    List<Saved> some = new ArrayList<>();
    large.olderThan(
        ORPHAN_AGE,
        file -> {
          some.add(file);
          if (some.size() == SWEPT_AT_ONCE) {
            contents.delete(orphans(some));
            some.clear();
          }
        });
    if (!some.isEmpty()) {
      contents.delete(orphans(some));
    }
  }

  private Set<String> orphans(List<Saved> files) {
    Set<String> orphans = files.stream().map(Saved::name).collect(Collectors.toSet());
    List<byte[]> ids = BinaryIds.list(files.stream().map(Saved::email).distinct().toList());
    return database.run(
        "look for files of content",
        handle -> {
          handle
              .createQuery(sql.referencedFiles)
              .bindList("ids", ids)
              .map((row, context) -> files(row.getString("name"), null))
              .forEach(orphans::removeAll);
          return orphans;
        });
  }

  private static @Nullable Sha256 key(byte @Nullable [] hash) {
    return hash == null || hash.length != 32 ? null : BinaryIds.digest(hash);
  }

  static List<String> files(@Nullable String one, @Nullable String other) {
    return Stream.of(one, other).filter(Objects::nonNull).map(String::valueOf).toList();
  }

  private static List<String> states(State outcome) {
    return Arrays.stream(State.values())
        .filter(state -> state.outcome() == outcome)
        .map(State::wireName)
        .toList();
  }

  /** Finds what is to go. */
  private interface Find {
    List<Old> in(Handle handle);
  }

  /** Lets it go. */
  private interface Remove {
    void from(Handle handle, List<Old> old);
  }
}
