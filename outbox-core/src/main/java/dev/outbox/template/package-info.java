/** Templates that turn an email's data into its subject, HTML and text. */
@NullMarked
package dev.outbox.template;

import org.jspecify.annotations.NullMarked;
