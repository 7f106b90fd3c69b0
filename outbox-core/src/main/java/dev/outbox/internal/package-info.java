/** How the outbox does it. Not API: nothing here is for use outside this module. */
@NullMarked
package dev.outbox.internal;

import org.jspecify.annotations.NullMarked;
