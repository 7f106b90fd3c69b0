/**
 * The worst day: processes, a database, a relay and a receiver that fail by a seeded schedule, and
 * an oracle that looks from outside whether the promises held.
 */
@NullMarked
package dev.outbox.verification.chaos;

import org.jspecify.annotations.NullMarked;
