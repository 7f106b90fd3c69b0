/** The store on MySQL, MariaDB or an embedded H2. */
@NullMarked
package dev.outbox.mysql;

import org.jspecify.annotations.NullMarked;
