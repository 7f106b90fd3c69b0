/** The repository and the Maven build as the POMs on disk describe it. */
@NullMarked
package dev.outbox.verification.reactor;

import org.jspecify.annotations.NullMarked;
