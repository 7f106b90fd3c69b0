/** Threads, waits and wake-ups that the other internal packages use. */
@NullMarked
package dev.outbox.internal.concurrent;

import org.jspecify.annotations.NullMarked;
