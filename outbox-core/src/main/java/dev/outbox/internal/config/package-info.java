/** The settings of one outbox, as its builder collected them. */
@NullMarked
package dev.outbox.internal.config;

import org.jspecify.annotations.NullMarked;
