package dev.outbox.mysql;

import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.ClaimRef;
import dev.outbox.store.NodeBeat;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * The nodes and their counters. A node's row is there as long as it holds anything: a claim makes
 * it, and it is only removed, under its lock, when nothing is held.
 */
final class Nodes {

  private final Sql sql;
  private final Database database;

  Nodes(Sql sql, Database database) {
    this.sql = sql;
    this.database = database;
  }

  List<NodeBeat> beat(NodeId node) {
    return database.run(
        "beat",
        handle -> {
          handle.createUpdate(sql.beat).bind("node", node.value()).execute();
          return handle
              .createQuery(sql.nodes)
              .map(
                  (row, context) ->
                      new NodeBeat(new NodeId(row.getString("node")), row.getLong("beat")))
              .list();
        });
  }

  /** Sees to it that a node is listed, and stays so until the transaction ends. */
  void register(Handle handle, NodeId node) {
    if (lock(handle, node).isEmpty()) {
      handle.createUpdate(sql.insertNode).bind("node", node.value()).execute();
    }
  }

  /** Locks a node and returns its counter; empty if it is not listed. */
  Optional<Long> lock(Handle handle, NodeId node) {
    return handle
        .createQuery(sql.lockNode)
        .bind("node", node.value())
        .map((row, context) -> row.getLong("beat"))
        .findOne();
  }

  void retire(NodeId node) {
    database.transact(
        "retire a node",
        handle -> {
          if (lock(handle, node).isPresent() && held(handle, node, 1).isEmpty()) {
            handle.createUpdate(sql.deleteNode).bind("node", node.value()).execute();
          }
          return true;
        });
  }

  List<ClaimRef> held(NodeId node, int limit) {
    return database.run("list what a node holds", handle -> held(handle, node, limit));
  }

  private List<ClaimRef> held(Handle handle, NodeId node, int limit) {
    return handle
        .createQuery(sql.held)
        .bind("node", node.value())
        .bind("limit", limit)
        .map(
            (row, context) ->
                new ClaimRef(
                    Ids.id(row.getBytes("id")),
                    row.getLong("token"),
                    State.ofWireName(row.getString("status")).orElseThrow()))
        .list();
  }
}
