/** Reads for people and probes: history, previews, reads with a deadline. */
@NullMarked
package dev.outbox.internal.read;

import org.jspecify.annotations.NullMarked;
