package dev.outbox.mysql;

import dev.outbox.email.EmailId;
import dev.outbox.email.NodeId;
import dev.outbox.store.ReapPolicy;
import dev.outbox.store.ReapedEmail;
import dev.outbox.store.StoreException;
import dev.outbox.store.Transition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes emails from nodes whose counter has stopped. It waits for no lock, since it runs on the
 * thread of the heartbeat. Safe for many threads.
 */
final class ReapOperations {

  private static final Logger log = LoggerFactory.getLogger(ReapOperations.class);
  private static final int MOST_REJECTED = 1_000;

  private final SqlStatements sql;
  private final TransactionRunner database;
  private final NodeOperations nodes;

  /** Emails that were logged already. */
  private final Set<EmailId> rejected = ConcurrentHashMap.newKeySet();

  ReapOperations(SqlStatements sql, TransactionRunner database, NodeOperations nodes) {
    this.sql = sql;
    this.database = database;
    this.nodes = nodes;
  }

  /**
   * The emails of one call.
   *
   * @param node the node that holds them
   * @param beat its counter as it was seen
   */
  private record Call(NodeId node, long beat, ReapPolicy policy) {}

  List<ReapedEmail> reap(NodeId dead, long beat, ReapPolicy policy, int limit) {
    Call call = new Call(dead, beat, policy);
    List<EmailId> chosen = new ArrayList<>();
    try {
      return reap(call, handle -> held(handle, dead, limit), chosen);
    } catch (StoreException e) {
      if (e.reason() != StoreException.Reason.REJECTED_DATA || chosen.isEmpty()) {
        throw e;
      }
      return apart(call, List.copyOf(chosen), e);
    }
  }

  /** Reaps emails in halves after the database has rejected one of them; that one stays held. */
  private List<ReapedEmail> apart(Call call, List<EmailId> ids, StoreException rejection) {
    if (ids.size() == 1) {
      note(ids.get(0), rejection);
      return List.of();
    }
    List<ReapedEmail> reaped = new ArrayList<>();
    int middle = ids.size() / 2;
    for (List<EmailId> half : List.of(ids.subList(0, middle), ids.subList(middle, ids.size()))) {
      try {
        reaped.addAll(reap(call, handle -> held(handle, call.node, half), new ArrayList<>()));
      } catch (StoreException e) {
        if (e.reason() != StoreException.Reason.REJECTED_DATA) {
          throw e;
        }
        reaped.addAll(apart(call, half, e));
      }
    }
    return reaped;
  }

  /** A heartbeat follows every few seconds, and each finds the email again. */
  private void note(EmailId id, StoreException rejection) {
    if (rejected.size() < MOST_REJECTED && rejected.add(id)) {
      log.error(
          "{} cannot be reaped, the database rejects its row: {}", id, rejection.getMessage());
    }
  }

  /**
   * Reaps emails in one transaction.
   *
   * @param chosen gets the ids of the emails that were found
   */
  private List<ReapedEmail> reap(
      Call call, Function<Handle, List<LockedRow>> find, List<EmailId> chosen) {
    return database.transact(
        "reap a dead node",
        handle -> {
          chosen.clear();
          if (nodes.lockAtOnce(handle, call.node).filter(beat -> beat == call.beat).isEmpty()) {
            return List.of();
          }
          ChangeWriter writer = new ChangeWriter(sql, handle);
          List<ReapedEmail> reaped = new ArrayList<>();
          for (LockedRow hot : find.apply(handle)) {
            chosen.add(hot.id());
            Transition<ReapedEmail> decision =
                hot.row().reap(call.node, call.policy, hot.hasComposed(), hot.now());
            writer.add(hot, Objects.requireNonNull(decision.change()), null);
            reaped.add(decision.answer());
          }
          writer.write();
          return reaped;
        });
  }

  private List<LockedRow> held(Handle handle, NodeId node, int limit) {
    return handle
        .createQuery(sql.heldForUpdate)
        .bind("node", node.value())
        .bind("limit", limit)
        .map((row, context) -> LockedRow.known(row))
        .list();
  }

  private List<LockedRow> held(Handle handle, NodeId node, List<EmailId> ids) {
    return handle
        .createQuery(sql.heldAmongForUpdate)
        .bind("node", node.value())
        .bindList("ids", BinaryIds.list(ids))
        .map((row, context) -> LockedRow.known(row))
        .list();
  }
}
