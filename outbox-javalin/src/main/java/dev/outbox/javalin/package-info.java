/** The outbox in a Javalin application: HTTP API, dashboard and development inbox. */
@NullMarked
package dev.outbox.javalin;

import org.jspecify.annotations.NullMarked;
