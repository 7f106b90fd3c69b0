package dev.outbox.mysql;

import dev.outbox.email.Address;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.Headline;
import dev.outbox.email.Recipients;
import dev.outbox.email.State;
import dev.outbox.store.Completed;
import dev.outbox.store.Completion;
import dev.outbox.store.Decision;
import dev.outbox.store.EmailRow;
import dev.outbox.store.LargeContent;
import dev.outbox.store.ManualMove;
import dev.outbox.store.Moved;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Changes rows as workers and people ask for: locks them in the order of their ids, lets each
 * decide what becomes of it, and writes that.
 */
final class Completing {

  /** Stands for a headline that cannot be read, and is never written. */
  private static final Headline PLACEHOLDER =
      new Headline(
          Address.parse("unreadable@invalid.invalid"),
          Recipients.of(Address.parse("unreadable@invalid.invalid")),
          null);

  private final Sql sql;
  private final Database database;
  private final ContentKeeper contents;

  Completing(Sql sql, Database database, ContentKeeper contents) {
    this.sql = sql;
    this.database = database;
    this.contents = contents;
  }

  /** Answers, and the large content that no row needs any more. */
  private record Written<A>(List<A> answers, List<String> files) {}

  List<Completed> complete(List<Completion> completions) {
    if (completions.isEmpty()) {
      return List.of();
    }
    SavedContent<Completion> messages = new SavedContent<>(contents);
    Written<Completed> written =
        messages.during(
            () -> {
              save(completions, messages);
              return database.transact(
                  "record results", handle -> complete(handle, completions, messages));
            });
    contents.delete(written.files);
    return written.answers;
  }

  private static void save(List<Completion> completions, SavedContent<Completion> messages) {
    for (Completion done : completions) {
      Bytes message = done.composed();
      if (message != null) {
        messages.save(done, done.id(), LargeContent.Kind.COMPOSED, message);
      }
    }
  }

  private Written<Completed> complete(
      Handle handle, List<Completion> completions, SavedContent<Completion> messages) {
    LockedRows rows =
        LockedRows.lock(sql, handle, completions.stream().map(Completion::id).toList());
    ChangeWriter writer = new ChangeWriter(sql, handle);
    List<Completed> answers = new ArrayList<>();
    List<String> unused = new ArrayList<>();
    for (Completion done : completions) {
      EmailRow row = rows.get(done.id());
      Decision<Completed> decision =
          row == null
              ? new Decision<>(Completed.LOST, null)
              : complete(row, rows.hot(done.id()), done, rows.now(done.id()));
      String file = messages.file(done);
      if (decision.change() == null && file != null && !isNamed(handle, done.id(), file)) {
        unused.add(file);
      }
      answers.add(rows.write(writer, done.id(), decision, messages.get(done)));
    }
    unused.addAll(writer.write());
    messages.mayBeCommitted();
    return new Written<>(answers, unused);
  }

  /** Returns whether a row names a file: an earlier try of the same call may have written it. */
  private boolean isNamed(Handle handle, EmailId id, String file) {
    return handle
        .createQuery(sql.referencedFiles)
        .bindList("ids", Ids.list(List.of(id)))
        .map((row, context) -> file.equals(row.getString("name")))
        .list()
        .contains(true);
  }

  /** Names the columns because of which an email that cannot be read becomes invalid. */
  private static Decision<Completed> complete(
      EmailRow row, @Nullable HotRow hot, Completion done, Instant now) {
    if (hot == null || hot.unreadable().isEmpty() || done.to() != State.INVALID) {
      return row.complete(done, now);
    }
    // Without any headline it would count as erased, and nothing would be noted.
    EmailRow shown =
        hot.hasUnreadableHeadline() ? EmailColumns.withHeadline(row, PLACEHOLDER) : row;
    String reason = "its row cannot be read: " + String.join(", ", hot.unreadable());
    return shown.complete(
        new Completion(
            done.id(),
            done.token(),
            done.node(),
            done.from(),
            done.to(),
            done.dueIn(),
            done.progress(),
            done.code(),
            done.report().reason(reason),
            done.composed(),
            done.keepsContent()),
        now);
  }

  List<Moved> move(ManualMove move, List<EmailId> ids) {
    if (ids.isEmpty()) {
      return List.of();
    }
    Written<Moved> written =
        database.transact("move emails by hand", handle -> move(handle, move, ids));
    contents.delete(written.files);
    if (move == ManualMove.ERASE) {
      // Files may be left that no row names, or that only an earlier try of this call has seen.
      written.answers.stream()
          .filter(moved -> moved.status() == Moved.Status.DONE)
          .forEach(moved -> contents.deleteAll(moved.id()));
    }
    return written.answers;
  }

  private Written<Moved> move(Handle handle, ManualMove move, List<EmailId> ids) {
    LockedRows rows = LockedRows.lock(sql, handle, ids);
    ChangeWriter writer = new ChangeWriter(sql, handle);
    List<String> files = new ArrayList<>();
    List<Moved> answers = new ArrayList<>();
    for (EmailId id : ids) {
      EmailRow row = rows.get(id);
      if (row == null) {
        answers.add(new Moved(id, Moved.Status.NOT_FOUND, null));
        continue;
      }
      HotRow hot = rows.hot(id);
      Decision<Moved> decision =
          row.move(
              move,
              hot != null && hot.hasPayload(),
              hot != null && hot.hasComposed(),
              rows.now(id));
      if (hot == null && decision.change() != null) {
        files.addAll(eraseLogged(handle, Objects.requireNonNull(decision.change().row())));
      }
      if (move == ManualMove.ERASE && hot != null) {
        contents.requireWithinReach(id, hot.files().toList());
      }
      answers.add(rows.write(writer, id, decision, null));
    }
    files.addAll(writer.write());
    return new Written<>(answers, files);
  }

  /** Takes the personal data out of the log; erasing is all that can happen to a row there. */
  private List<String> eraseLogged(Handle handle, EmailRow erased) {
    try (var statement = handle.createUpdate(sql.updateLog)) {
      EmailColumns.bindChanging(RowValues.to(statement), erased);
      statement.execute();
    }
    List<byte[]> id = List.of(Ids.bytes(erased.id()));
    List<String> files = new ArrayList<>();
    handle
        .createQuery(sql.content)
        .bind("id", id.get(0))
        .map(
            (row, context) ->
                Pruning.files(row.getString("payload_file_path"), row.getString("eml_file_path")))
        .forEach(files::addAll);
    contents.requireWithinReach(erased.id(), files);
    handle.createUpdate(sql.deleteContents).bindList("ids", id).execute();
    return files;
  }
}
