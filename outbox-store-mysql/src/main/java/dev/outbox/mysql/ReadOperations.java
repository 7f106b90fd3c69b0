package dev.outbox.mysql;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailPage;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.State;
import dev.outbox.store.EmailRecord;
import dev.outbox.store.HistoryRecord;
import dev.outbox.store.StateCount;
import dev.outbox.store.StoredContent;
import dev.outbox.store.StoredEmail;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Answers questions about emails, on their way or in the log. */
final class ReadOperations {

  private final SqlStatements sql;
  private final TransactionRunner database;
  private final ContentStorage contents;

  ReadOperations(SqlStatements sql, TransactionRunner database, ContentStorage contents) {
    this.sql = sql;
    this.database = database;
    this.contents = contents;
  }

  Optional<StoredEmail> find(EmailId id) {
    return database.run("find an email", handle -> hot(handle, id).or(() -> logged(handle, id)));
  }

  private Optional<StoredEmail> hot(Handle handle, EmailId id) {
    return handle
        .createQuery(sql.email)
        .bind("id", BinaryIds.bytes(id))
        .map(
            (row, context) ->
                Optional.ofNullable(EmailRecordMapper.read(row, false))
                    .map(found -> stored(found.row(), row)))
        .findOne()
        .flatMap(found -> found);
  }

  private StoredEmail stored(EmailRecord found, ResultSet row) {
    try {
      return new StoredEmail(found.email(), contents.read(found.id(), row));
    } catch (SQLException e) {
      throw new IllegalStateException("content: unreadable", SanitizedSqlException.in(e));
    }
  }

  private Optional<StoredEmail> logged(Handle handle, EmailId id) {
    return handle
        .createQuery(sql.logged)
        .bind("id", BinaryIds.bytes(id))
        .map((row, context) -> Optional.ofNullable(EmailRecordMapper.read(row, true)))
        .findOne()
        .flatMap(found -> found)
        .map(found -> new StoredEmail(found.row().email(), kept(handle, id).orElse(null)));
  }

  private Optional<StoredContent> kept(Handle handle, EmailId id) {
    return handle
        .createQuery(sql.content)
        .bind("id", BinaryIds.bytes(id))
        .map((row, context) -> Optional.ofNullable(contents.read(id, row)))
        .findOne()
        .flatMap(found -> found);
  }

  List<HistoryRecord> history(EmailId id) {
    return database.run(
        "read a history",
        handle ->
            handle
                .createQuery(sql.statuses)
                .bind("id", BinaryIds.bytes(id))
                .map((row, context) -> step(row))
                .list()
                .stream()
                .flatMap(Optional::stream)
                .toList());
  }

  private static Optional<HistoryRecord> step(ResultSet row) throws SQLException {
    Optional<State> from = State.ofWireName(row.getString("status_before"));
    Optional<State> to = State.ofWireName(row.getString("status"));
    Instant at = UtcTimestamps.read(row, "created_at");
    if (from.isEmpty() || to.isEmpty() || at == null) {
      return Optional.empty();
    }
    return Optional.of(
        new HistoryRecord(
            from.get(),
            to.get(),
            at,
            UtcTimestamps.read(row, "preparing"),
            UtcTimestamps.read(row, "sending"),
            row.getInt("generation"),
            row.getInt("attempt"),
            NodeOperations.name(row.getString("node")).orElse(null),
            EmailRecordMapper.failureCode(row.getString("code")),
            row.getString("reason"),
            row.getString("detail")));
  }

  /**
   * Finds a page. The database narrows the search and the query itself has the last word, because
   * databases compare texts by rules of their own.
   */
  EmailPage query(EmailQuery query, @Nullable EmailId after, int limit) {
    List<EmailSummary> found = new ArrayList<>();
    EmailId last = after;
    boolean more = true;
    while (more && found.size() <= limit) {
      int wanted = limit + 1;
      List<QuerySql.Found> page = page(new QuerySql(query, last), wanted);
      page.stream()
          .flatMap(each -> each.email().stream())
          .filter(query::matches)
          .limit(limit + 1L - found.size())
          .forEach(found::add);
      more = page.size() == wanted;
      last = page.isEmpty() ? last : page.get(page.size() - 1).id();
    }
    return found.size() <= limit
        ? new EmailPage(found, null)
        : new EmailPage(found.subList(0, limit), found.get(limit - 1).id());
  }

  /** Merges the newest that match from both tables, those that cannot be read included. */
  private List<QuerySql.Found> page(QuerySql search, int wanted) {
    return database.run(
        "query emails",
        handle -> {
          // An email that is archived in between is then seen twice, rather than not at all.
          Map<EmailId, QuerySql.Found> merged = new TreeMap<>(Comparator.reverseOrder());
          search.emails(sql, handle, wanted).forEach(each -> merged.put(each.id(), each));
          search.log(sql, handle, wanted).forEach(each -> merged.put(each.id(), each));
          return merged.values().stream().limit(wanted).toList();
        });
  }

  Map<State, StateCount> stats() {
    return database.run(
        "count emails",
        handle -> {
          Map<State, StateCount> counts = new EnumMap<>(State.class);
          for (State state : State.values()) {
            StateCount count = count(handle, state);
            if (count.count() > 0) {
              counts.put(state, count);
            }
          }
          return counts;
        });
  }

  private StateCount count(Handle handle, State state) {
    return handle
        .createQuery(sql.count)
        .bind("status", state.wireName())
        .bind("limit", StateCount.EXACT_UP_TO)
        .map(
            (row, context) -> {
              Instant now = UtcTimestamps.needed(row, "now");
              return new StateCount(
                  row.getInt("number"),
                  age(UtcTimestamps.read(row, "oldest"), now),
                  age(UtcTimestamps.read(row, "due"), now));
            })
        .one();
  }

  private static Duration age(@Nullable Instant time, Instant now) {
    return time == null || time.isAfter(now) ? Duration.ZERO : Duration.between(time, now);
  }
}
