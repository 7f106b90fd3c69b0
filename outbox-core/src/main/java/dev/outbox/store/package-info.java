/** What a store has to do: a small, batch-shaped contract that keeps emails, claims and history. */
@NullMarked
package dev.outbox.store;

import org.jspecify.annotations.NullMarked;
