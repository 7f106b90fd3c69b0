/** The page of the outbox in a real browser. */
@NullMarked
package dev.outbox.browser;

import org.jspecify.annotations.NullMarked;
