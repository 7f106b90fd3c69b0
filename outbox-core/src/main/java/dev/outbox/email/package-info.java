/** Emails as values: what a host asks for, what became of it, and the table of states between. */
@NullMarked
package dev.outbox.email;

import org.jspecify.annotations.NullMarked;
