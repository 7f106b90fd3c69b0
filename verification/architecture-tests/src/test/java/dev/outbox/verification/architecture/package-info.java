/**
 * The rules of the package map, and proof that each can fail.
 *
 * <p>Rules are written for any root package: {@code dev.outbox} must keep them all, and the
 * look-alike below {@code dev.outbox.verification.broken} breaks each one.
 */
@NullMarked
package dev.outbox.verification.architecture;

import org.jspecify.annotations.NullMarked;
