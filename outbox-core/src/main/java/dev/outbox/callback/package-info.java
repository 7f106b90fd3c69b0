/** How a host in another process learns what became of its email. */
@NullMarked
package dev.outbox.callback;

import org.jspecify.annotations.NullMarked;
