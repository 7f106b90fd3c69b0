/** Accepts emails: defaults, checks, insert. */
@NullMarked
package dev.outbox.internal.accept;

import org.jspecify.annotations.NullMarked;
