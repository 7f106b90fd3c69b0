package dev.outbox.mysql;

import dev.outbox.email.Address;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.Headline;
import dev.outbox.email.NodeId;
import dev.outbox.email.Recipients;
import dev.outbox.email.State;
import dev.outbox.store.Completed;
import dev.outbox.store.Completion;
import dev.outbox.store.Decision;
import dev.outbox.store.EmailRow;
import dev.outbox.store.LargeContent;
import dev.outbox.store.ManualMove;
import dev.outbox.store.Moved;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.Reaped;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Changes rows as workers, the reaper and people ask for: locks them in the order of their ids,
 * lets each decide what becomes of it, and writes that.
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
  private final Nodes nodes;

  Completing(Sql sql, Database database, ContentKeeper contents, Nodes nodes) {
    this.sql = sql;
    this.database = database;
    this.contents = contents;
    this.nodes = nodes;
  }

  /** Answers, and the large content that no row needs any more. */
  private record Written<A>(List<A> answers, List<String> files) {}

  List<Completed> complete(List<Completion> completions) {
    if (completions.isEmpty()) {
      return List.of();
    }
    Map<Completion, ContentKeeper.Place> messages = keep(completions);
    Written<Completed> written =
        database.transact("record results", handle -> complete(handle, completions, messages));
    List<String> files = new ArrayList<>(written.files);
    for (int i = 0; i < completions.size(); i++) {
      ContentKeeper.Place unused = messages.get(completions.get(i));
      if (unused != null && unused.file() != null && written.answers.get(i) == Completed.LOST) {
        files.add(unused.file());
      }
    }
    contents.delete(files);
    return written.answers;
  }

  private Map<Completion, ContentKeeper.Place> keep(List<Completion> completions) {
    Map<Completion, ContentKeeper.Place> places = new HashMap<>();
    for (Completion done : completions) {
      Bytes message = done.composed();
      if (message != null) {
        places.put(done, contents.keep(done.id(), LargeContent.Kind.COMPOSED, message));
      }
    }
    return places;
  }

  private Written<Completed> complete(
      Handle handle, List<Completion> completions, Map<Completion, ContentKeeper.Place> messages) {
    LockedRows rows =
        LockedRows.lock(sql, handle, completions.stream().map(Completion::id).toList());
    ChangeWriter writer = new ChangeWriter(sql, handle);
    List<Completed> answers = new ArrayList<>();
    for (Completion done : completions) {
      EmailRow row = rows.get(done.id());
      answers.add(
          row == null
              ? Completed.LOST
              : rows.write(
                  writer,
                  done.id(),
                  complete(row, rows.hot(done.id()), done, rows.now(done.id())),
                  messages.get(done)));
    }
    return new Written<>(answers, writer.write());
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
    handle.createUpdate(sql.deleteContents).bindList("ids", id).execute();
    return files;
  }

  List<Reaped> reap(NodeId dead, long beat, ReapPolicy policy, int limit) {
    return database.transact(
        "reap a dead node",
        handle -> {
          if (nodes.lock(handle, dead).orElse(0L) != beat) {
            return List.of();
          }
          ChangeWriter writer = new ChangeWriter(sql, handle);
          List<Reaped> reaped = new ArrayList<>();
          for (HotRow hot : heldBy(handle, dead, limit)) {
            Decision<Reaped> decision = hot.row().reap(dead, policy, hot.hasComposed(), hot.now());
            writer.add(hot, Objects.requireNonNull(decision.change()), null);
            reaped.add(decision.answer());
          }
          writer.write();
          return reaped;
        });
  }

  private List<HotRow> heldBy(Handle handle, NodeId node, int limit) {
    return handle
        .createQuery(sql.heldForUpdate)
        .bind("node", node.value())
        .bind("limit", limit)
        .map((row, context) -> HotRow.known(row))
        .list();
  }
}
