package dev.outbox.mysql;

import dev.outbox.email.NodeId;
import dev.outbox.email.State;
import dev.outbox.store.ClaimRef;
import dev.outbox.store.NodeHeartbeat;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes and their counters. A node's row is there as long as it holds anything: a claim makes
 * it, and it is only removed, under its lock, when nothing is held.
 */
final class NodeOperations {

  private static final Logger log = LoggerFactory.getLogger(NodeOperations.class);
  private static final int MOST_MALFORMED = 100;

  private final SqlStatements sql;
  private final TransactionRunner database;

  /** Names that were logged already. */
  private final Set<String> malformed = ConcurrentHashMap.newKeySet();

  NodeOperations(SqlStatements sql, TransactionRunner database) {
    this.sql = sql;
    this.database = database;
  }

  List<NodeHeartbeat> beat(NodeId node) {
    return database.run(
        "beat",
        handle -> {
          handle.createUpdate(sql.beat).bind("node", node.value()).execute();
          return handle.createQuery(sql.nodes).map((row, context) -> beat(row)).list().stream()
              .flatMap(Optional::stream)
              .toList();
        });
  }

  private Optional<NodeHeartbeat> beat(ResultSet row) throws SQLException {
    String name = row.getString("node");
    Optional<NodeId> node = name(name);
    if (node.isEmpty() && malformed.size() < MOST_MALFORMED && malformed.add(name)) {
      log.error("'{}' in the table of nodes is not the name of a node, remove the row", name);
    }
    long beat = row.getLong("beat");
    return node.map(each -> new NodeHeartbeat(each, beat));
  }

  /** Reads the name of a node; empty if there is none, or none of ours. */
  static Optional<NodeId> name(@Nullable String text) {
    try {
      return Optional.ofNullable(text).map(NodeId::new);
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }

  /** Sees to it that a node is listed, and stays so until the transaction ends. */
  void register(Handle handle, NodeId node) {
    if (lock(handle, node).isEmpty()) {
      handle.createUpdate(sql.insertNode).bind("node", node.value()).execute();
    }
  }

  private Optional<Long> lock(Handle handle, NodeId node) {
    return lock(handle, sql.lockNode, node);
  }

  /**
   * Locks a node and returns its counter; empty if it is not listed, or another transaction has
   * locked it. That may be a claim of a node that is frozen or cut off, which lasts until the
   * server closes its connection: a heartbeat must not wait for it.
   */
  Optional<Long> lockAtOnce(Handle handle, NodeId node) {
    return lock(handle, sql.lockNodeAtOnce, node);
  }

  private static Optional<Long> lock(Handle handle, String statement, NodeId node) {
    return handle
        .createQuery(statement)
        .bind("node", node.value())
        .map((row, context) -> row.getLong("beat"))
        .findOne();
  }

  void retire(NodeId node) {
    database.transact(
        "retire a node",
        handle -> {
          if (lockAtOnce(handle, node).isPresent() && held(handle, node, 1).isEmpty()) {
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
                    BinaryIds.id(row.getBytes("id")),
                    row.getLong("token"),
                    State.ofWireName(row.getString("status")).orElseThrow()))
        .list();
  }
}
