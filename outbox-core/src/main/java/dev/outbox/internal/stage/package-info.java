/** The three stages of processing: intake, delivery, callback. */
@NullMarked
package dev.outbox.internal.stage;

import org.jspecify.annotations.NullMarked;
