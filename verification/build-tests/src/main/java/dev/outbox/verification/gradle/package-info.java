/** The Gradle twin of the Maven build, generated from the POMs. */
@NullMarked
package dev.outbox.verification.gradle;

import org.jspecify.annotations.NullMarked;
