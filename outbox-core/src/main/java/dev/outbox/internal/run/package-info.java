/** Runs a node: claims emails, dispatches tasks to threads, sends heartbeats, reaps, cleans up. */
@NullMarked
package dev.outbox.internal.run;

import org.jspecify.annotations.NullMarked;
