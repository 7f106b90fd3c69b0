/** Shows that the store keeps its word on real databases. */
@NullMarked
package dev.outbox.mysql;

import org.jspecify.annotations.NullMarked;
