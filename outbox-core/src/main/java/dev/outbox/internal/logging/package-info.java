/** Throwables as text without personal data, and log statements that cannot fail. */
@NullMarked
package dev.outbox.internal.logging;

import org.jspecify.annotations.NullMarked;
