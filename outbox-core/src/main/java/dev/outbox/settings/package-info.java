/** How a node works: small groups of settings, each with its defaults. */
@NullMarked
package dev.outbox.settings;

import org.jspecify.annotations.NullMarked;
