/** Programs to run and read. */
@NullMarked
package dev.outbox.examples;

import org.jspecify.annotations.NullMarked;
