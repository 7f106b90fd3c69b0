/** The last metre: what turns an email into bytes and hands these to a relay or provider. */
@NullMarked
package dev.outbox.transport;

import org.jspecify.annotations.NullMarked;
