/** Writes completions to the store, and publishes what was recorded. */
@NullMarked
package dev.outbox.internal.record;

import org.jspecify.annotations.NullMarked;
