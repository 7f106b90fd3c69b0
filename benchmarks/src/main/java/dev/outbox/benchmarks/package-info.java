/** Programs that measure, one main each. */
@NullMarked
package dev.outbox.benchmarks;

import org.jspecify.annotations.NullMarked;
