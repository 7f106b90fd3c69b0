/** What the outbox tells its own process, and the one thing it can be told: send this. */
@NullMarked
package dev.outbox.event;

import org.jspecify.annotations.NullMarked;
