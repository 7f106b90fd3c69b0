/**
 * The way out over SMTP, with two aids for development: a folder of files, and a list of who may
 * get mail.
 */
@NullMarked
package dev.outbox.smtp;

import org.jspecify.annotations.NullMarked;
