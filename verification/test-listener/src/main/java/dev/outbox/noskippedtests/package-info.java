/** The rule that a skipped test fails the build. */
@NullMarked
package dev.outbox.noskippedtests;

import org.jspecify.annotations.NullMarked;
