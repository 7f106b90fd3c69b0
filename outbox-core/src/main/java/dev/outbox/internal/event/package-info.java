/** Posts events, handles requests on the event bus, and reports to the metrics of the host. */
@NullMarked
package dev.outbox.internal.event;

import org.jspecify.annotations.NullMarked;
