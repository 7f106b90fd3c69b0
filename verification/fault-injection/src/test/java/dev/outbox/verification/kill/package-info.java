/** Processes that are killed, and what those that come after them find. */
@NullMarked
package dev.outbox.verification.kill;

import org.jspecify.annotations.NullMarked;
