package dev.outbox.mysql;

import dev.outbox.content.LargeContent;
import dev.outbox.email.Address;
import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.Recipients;
import dev.outbox.email.State;
import dev.outbox.store.ActionResult;
import dev.outbox.store.Completion;
import dev.outbox.store.CompletionResult;
import dev.outbox.store.EmailRecord;
import dev.outbox.store.OperatorAction;
import dev.outbox.store.Transition;
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
final class CompleteOperations {

  /** Stands for a headline that cannot be read, and is never written. */
  private static final AddressesAndSubject PLACEHOLDER =
      new AddressesAndSubject(
          Address.parse("unreadable@invalid.invalid"),
          Recipients.of(Address.parse("unreadable@invalid.invalid")),
          null);

  private final SqlStatements sql;
  private final TransactionRunner database;
  private final ContentStorage contents;

  CompleteOperations(SqlStatements sql, TransactionRunner database, ContentStorage contents) {
    this.sql = sql;
    this.database = database;
    this.contents = contents;
  }

  /** Answers, and the large content that no row needs any more. */
  private record Written<A>(List<A> answers, List<String> files) {}

  List<CompletionResult> complete(List<Completion> completions) {
    if (completions.isEmpty()) {
      return List.of();
    }
    SavedContent<Completion> messages = new SavedContent<>(contents);
    Written<CompletionResult> written =
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

  private Written<CompletionResult> complete(
      Handle handle, List<Completion> completions, SavedContent<Completion> messages) {
    LockedRows rows =
        LockedRows.lock(sql, handle, completions.stream().map(Completion::id).toList());
    ChangeWriter writer = new ChangeWriter(sql, handle);
    List<CompletionResult> answers = new ArrayList<>();
    List<String> unused = new ArrayList<>();
    for (Completion done : completions) {
      EmailRecord row = rows.get(done.id());
      Transition<CompletionResult> decision =
          row == null
              ? new Transition<>(CompletionResult.LOST, null)
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
        .bindList("ids", BinaryIds.list(List.of(id)))
        .map((row, context) -> file.equals(row.getString("name")))
        .list()
        .contains(true);
  }

  /** Names the columns because of which an email that cannot be read becomes invalid. */
  private static Transition<CompletionResult> complete(
      EmailRecord row, @Nullable LockedRow hot, Completion done, Instant now) {
    if (hot == null || hot.unreadable().isEmpty() || done.to() != State.INVALID) {
      return row.complete(done, now);
    }
    // Without any headline it would count as erased, and nothing would be noted.
    EmailRecord shown =
        hot.hasUnreadableHeadline() ? EmailRecordMapper.withHeadline(row, PLACEHOLDER) : row;
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
            done.retainsContent()),
        now);
  }

  List<ActionResult> move(OperatorAction move, List<EmailId> ids) {
    if (ids.isEmpty()) {
      return List.of();
    }
    Written<ActionResult> written =
        database.transact("apply an operator action", handle -> move(handle, move, ids));
    contents.delete(written.files);
    if (move == OperatorAction.ERASE) {
      // Files may be left that no row names, or that only an earlier try of this call has seen.
      written.answers.stream()
          .filter(moved -> moved.status() == ActionResult.Status.DONE)
          .forEach(moved -> contents.deleteAll(moved.id()));
    }
    return written.answers;
  }

  private Written<ActionResult> move(Handle handle, OperatorAction move, List<EmailId> ids) {
    LockedRows rows = LockedRows.lock(sql, handle, ids);
    ChangeWriter writer = new ChangeWriter(sql, handle);
    List<String> files = new ArrayList<>();
    List<ActionResult> answers = new ArrayList<>();
    for (EmailId id : ids) {
      EmailRecord row = rows.get(id);
      if (row == null) {
        answers.add(new ActionResult(id, ActionResult.Status.NOT_FOUND, null));
        continue;
      }
      LockedRow hot = rows.hot(id);
      Transition<ActionResult> decision =
          row.move(
              move,
              hot != null && hot.hasPayload(),
              hot != null && hot.hasComposed(),
              rows.now(id));
      if (hot == null && decision.change() != null) {
        files.addAll(eraseLogged(handle, Objects.requireNonNull(decision.change().row())));
      }
      if (move == OperatorAction.ERASE && hot != null) {
        contents.requireWithinReach(id, hot.files().toList());
      }
      answers.add(rows.write(writer, id, decision, null));
    }
    files.addAll(writer.write());
    return new Written<>(answers, files);
  }

  /** Takes the personal data out of the log; erasing is all that can happen to a row there. */
  private List<String> eraseLogged(Handle handle, EmailRecord erased) {
    try (var statement = handle.createUpdate(sql.updateLog)) {
      EmailRecordMapper.bindChanging(RowParameters.to(statement), erased);
      statement.execute();
    }
    List<byte[]> id = List.of(BinaryIds.bytes(erased.id()));
    List<String> files = new ArrayList<>();
    handle
        .createQuery(sql.content)
        .bind("id", id.get(0))
        .map(
            (row, context) ->
                PruneOperations.files(
                    row.getString("payload_file_path"), row.getString("eml_file_path")))
        .forEach(files::addAll);
    contents.requireWithinReach(erased.id(), files);
    handle.createUpdate(sql.deleteContents).bindList("ids", id).execute();
    return files;
  }
}
