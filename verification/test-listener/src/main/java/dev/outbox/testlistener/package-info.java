/** The rule that a skipped test fails the build. */
@NullMarked
package dev.outbox.testlistener;

import org.jspecify.annotations.NullMarked;
