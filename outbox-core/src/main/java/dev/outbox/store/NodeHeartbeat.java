package dev.outbox.store;

import dev.outbox.email.NodeId;

/**
 * How often a node has beaten. Only whether the counter moves says anything; it is compared with
 * itself, on the watcher's own clock.
 *
 * @param node the node
 * @param beat its counter; zero for a node that holds claims and has never beaten
 */
public record NodeHeartbeat(NodeId node, long beat) {}
