package dev.outbox.mysql;

import dev.outbox.email.EmailId;
import dev.outbox.email.EmailQuery;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.State;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** A query as SQL, for one page: the newest ids below the last one of the page before. */
final class QuerySql {

  private final List<String> conditions = new ArrayList<>();
  private final List<Consumer<Query>> bindings = new ArrayList<>();
  private final EmailQuery query;

  /**
   * A row that matches.
   *
   * @param id the email, on which the next page depends
   * @param email empty if its state is one that only a newer release knows
   */
  record Found(EmailId id, Optional<EmailSummary> email) {

    static Found read(ResultSet row, boolean archived) throws SQLException {
      EmailRecordMapper.Read read = EmailRecordMapper.read(row, archived);
      return read == null
          ? new Found(BinaryIds.id(row.getBytes(EmailColumn.ID.at())), Optional.empty())
          : new Found(read.row().id(), Optional.of(read.row().email()));
    }
  }

  QuerySql(EmailQuery query, @Nullable EmailId after) {
    this.query = query;
    if (after != null) {
      where("id < :after", statement -> statement.bind("after", BinaryIds.bytes(after)));
    }
    if (!query.states().isEmpty()) {
      List<String> states = query.states().stream().map(State::wireName).toList();
      where("status IN (<states>)", statement -> statement.bindList("states", states));
    }
    if (!query.codes().isEmpty()) {
      List<String> codes = query.codes().stream().map(Enum::name).toList();
      where("code IN (<codes>)", statement -> statement.bindList("codes", codes));
    }
    if (query.recipient() != null) {
      int hash = EmailRecordMapper.hash(query.recipient());
      where(
          "recipient_hash IN (:hash, " + EmailRecordMapper.SEVERAL + ")",
          statement -> statement.bind("hash", hash));
    }
    if (query.template() != null) {
      where("template = :template", statement -> statement.bind("template", query.template()));
    }
    if (query.tag() != null) {
      where(
          "LOCATE(:tag, tags) > 0", statement -> statement.bind("tag", "\n" + query.tag() + "\n"));
    }
    if (query.createdSince() != null) {
      where(
          "created >= :created_since",
          statement ->
              statement.bind("created_since", UtcTimestamps.argument(query.createdSince())));
    }
    if (query.createdBefore() != null) {
      where(
          "created < :created_before",
          statement ->
              statement.bind("created_before", UtcTimestamps.argument(query.createdBefore())));
    }
  }

  private void where(String condition, Consumer<Query> binding) {
    conditions.add(condition);
    bindings.add(binding);
  }

  List<Found> emails(SqlStatements sql, Handle handle, int limit) {
    return rows(handle, sql.sql("SELECT {shared}, {hot} FROM {p}emails"), conditions, limit, false);
  }

  /** Returns what matches in the log, where there is nothing but what was sent. */
  List<Found> log(SqlStatements sql, Handle handle, int limit) {
    boolean sent =
        query.states().isEmpty()
            || query.states().stream().anyMatch(state -> state.outcome() == State.SENT);
    if (!sent || !query.codes().isEmpty()) {
      return List.of();
    }
    List<String> narrowed = new ArrayList<>(conditions);
    if (query.createdSince() != null) {
      // Nothing is settled before it was created, and on that there is an index.
      narrowed.add("settled >= :created_since");
    }
    return rows(handle, sql.sql("SELECT {shared} FROM {p}log"), narrowed, limit, true);
  }

  private List<Found> rows(
      Handle handle, String select, List<String> where, int limit, boolean archived) {
    String text =
        select
            + (where.isEmpty() ? "" : " WHERE " + String.join(" AND ", where))
            + " ORDER BY id DESC LIMIT :limit";
    try (Query statement = handle.createQuery(text)) {
      bindings.forEach(binding -> binding.accept(statement));
      return statement.bind("limit", limit).map((row, context) -> Found.read(row, archived)).list();
    }
  }
}
