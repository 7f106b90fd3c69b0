/** When, and how often, something that failed is tried again. */
@NullMarked
package dev.outbox.retry;

import org.jspecify.annotations.NullMarked;
