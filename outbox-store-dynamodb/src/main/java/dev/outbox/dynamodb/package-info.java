/** Keeps emails in DynamoDB: one table that stays small, and a log by days. */
@NullMarked
package dev.outbox.dynamodb;

import org.jspecify.annotations.NullMarked;
