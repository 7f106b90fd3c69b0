package dev.outbox.store;

import org.jspecify.annotations.Nullable;

/**
 * What a row makes of an event: the answer for the caller, and what is to be written.
 *
 * @param <A> the kind of answer
 * @param answer for the caller, once the change is committed
 * @param change null if there is nothing to write
 */
public record Transition<A>(A answer, @Nullable RecordChange change) {}
