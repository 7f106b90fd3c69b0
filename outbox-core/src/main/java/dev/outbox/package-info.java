/** Durable email for Java hosts: {@link dev.outbox.Outbox} is where to start. */
@NullMarked
package dev.outbox;

import org.jspecify.annotations.NullMarked;
