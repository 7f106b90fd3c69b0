/** The content of a stored email, and its versioned JSON. */
@NullMarked
package dev.outbox.internal.payload;

import org.jspecify.annotations.NullMarked;
