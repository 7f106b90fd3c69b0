/** The state of one node: its lease, its emails in flight, the availability of the store. */
@NullMarked
package dev.outbox.internal.node;

import org.jspecify.annotations.NullMarked;
