/** Storage of large content outside the rows of a store. */
@NullMarked
package dev.outbox.content;

import org.jspecify.annotations.NullMarked;
