/** Servers, processes, proxies and log capture that the tests of several modules share. */
@NullMarked
package dev.outbox.testsupport;

import org.jspecify.annotations.NullMarked;
