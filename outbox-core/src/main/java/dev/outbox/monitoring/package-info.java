/** What a host can observe of a node: its status, its health and its figures. */
@NullMarked
package dev.outbox.monitoring;

import org.jspecify.annotations.NullMarked;
