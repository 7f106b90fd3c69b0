package dev.outbox.mysql;

import dev.outbox.email.EmailId;
import dev.outbox.store.EmailRecord;
import dev.outbox.store.HistoryRecord;
import dev.outbox.store.RecordChange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/**
 * Gathers what is to be written to rows that the transaction has locked, and writes it in a few
 * statements. For one transaction and one thread.
 */
final class ChangeWriter {

  private final SqlStatements sql;
  private final Handle handle;
  private final Map<EmailId, EmailRecord> updated = new LinkedHashMap<>();
  private final Map<EmailId, EmailRecord> progressed = new LinkedHashMap<>();
  private final Map<EmailId, EmailRecord> archived = new LinkedHashMap<>();
  private final List<EmailRecord> kept = new ArrayList<>();
  private final List<EmailId> emptied = new ArrayList<>();
  private final Map<EmailId, ContentStorage.Place> composed = new LinkedHashMap<>();
  private final List<Step> steps = new ArrayList<>();
  private final List<String> files = new ArrayList<>();

  private record Step(EmailId id, HistoryRecord row) {}

  ChangeWriter(SqlStatements sql, Handle handle) {
    this.sql = sql;
    this.handle = handle;
  }

  /** Adds what becomes of an email that is on its way. */
  void add(LockedRow before, RecordChange change, ContentStorage.@Nullable Place message) {
    EmailId id = before.id();
    note(id, change);
    EmailRecord row = change.row();
    if (row == null) {
      return;
    }
    if (change.deletesContent()) {
      before.files().forEach(files::add);
    }
    if (change.movesToLog()) {
      archived.put(id, row);
      if (!change.deletesContent()) {
        kept.add(row);
      }
      return;
    }
    // An operator can correct what is left as it is; erasing removes it.
    if (before.hasUnreadableHeadline() && !change.redactsHistory()) {
      progressed.put(id, row);
    } else {
      progressed.remove(id);
      updated.put(id, row);
    }
    if (change.deletesContent()) {
      emptied.add(id);
    } else if (message != null) {
      composed.put(id, message);
      if (before.composedFile() != null) {
        files.add(before.composedFile());
      }
    }
  }

  /** Adds what is only noted in an email's history. */
  void note(EmailId id, RecordChange change) {
    if (change.redactsHistory()) {
      handle.createUpdate(sql.hushStatuses).bind("id", BinaryIds.bytes(id)).execute();
    }
    change.history().forEach(row -> steps.add(new Step(id, row)));
  }

  /**
   * Writes everything.
   *
   * @return the names of large content that no row needs any more, once this is committed
   */
  List<String> write() {
    writeSteps();
    // The log takes over what is stored by then.
    batch(
        sql.saveComposed,
        List.copyOf(composed.entrySet()),
        (statement, entry) ->
            statement
                .bind("id", BinaryIds.bytes(entry.getKey()))
                .bind("composed", entry.getValue().column())
                .bind("composed_bytes", entry.getValue().bytes())
                .bind("eml_file_path", entry.getValue().file()));
    archive();
    batch(
        sql.update,
        List.copyOf(updated.values()),
        (statement, row) -> EmailRecordMapper.bindChanging(RowParameters.to(statement), row));
    batch(
        sql.updateProgress,
        List.copyOf(progressed.values()),
        (statement, row) -> EmailRecordMapper.bindChanging(RowParameters.to(statement), row));
    if (!emptied.isEmpty()) {
      handle.createUpdate(sql.dropContent).bindList("ids", BinaryIds.list(emptied)).execute();
    }
    return files;
  }

  private void archive() {
    if (archived.isEmpty()) {
      return;
    }
    sql.insertLog.execute(handle, archived.values(), EmailRecordMapper::bind);
    batch(
        sql.keepContents,
        kept,
        (statement, row) ->
            statement
                .bind("id", BinaryIds.bytes(row.id()))
                .bind("settled", UtcTimestamps.argument(row.email().timeline().settled())));
    handle
        .createUpdate(sql.deleteEmails)
        .bindList("ids", BinaryIds.list(archived.keySet()))
        .execute();
  }

  private void writeSteps() {
    batch(
        sql.insertStatuses,
        steps,
        (statement, step) -> {
          HistoryRecord row = step.row();
          statement
              .bind("id", BinaryIds.bytes(step.id()))
              .bind("status", row.to().wireName())
              .bind("before", row.from().wireName())
              .bind("at", UtcTimestamps.argument(row.at()))
              .bind("preparing", UtcTimestamps.argument(row.preparing()))
              .bind("sending", UtcTimestamps.argument(row.sending()))
              .bind("generation", row.generation())
              .bind("attempt", row.attempt())
              .bind("node", row.node() == null ? null : row.node().value())
              .bind("code", row.code() == null ? null : row.code().name())
              .bind("reason", row.reason())
              .bind("detail", row.detail());
        });
  }

  private <T> void batch(String text, List<T> rows, Binding<T> binding) {
    if (rows.isEmpty()) {
      return;
    }
    try (PreparedBatch batch = handle.prepareBatch(text)) {
      for (T row : rows) {
        binding.bind(batch, row);
        batch.add();
      }
      batch.execute();
    }
  }

  /** Puts one row's values into a statement. */
  private interface Binding<T> {
    void bind(PreparedBatch statement, T row);
  }
}
