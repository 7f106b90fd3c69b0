/**
 * For hosts and store authors: a store in memory, and the contract that every store has to pass.
 */
@NullMarked
package dev.outbox.testkit;

import org.jspecify.annotations.NullMarked;
