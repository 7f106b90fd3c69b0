package dev.outbox.dynamodb;

import dev.outbox.settings.RetentionSettings;
import java.time.Duration;

/**
 * How a store was set up.
 *
 * @param emails the name of the table of emails
 * @param log the name of the log's table
 * @param shards over how many partitions of the index the waiting emails of a state are spread
 * @param logShards over how many partitions a day of the log is spread
 * @param skew how far the clocks of two nodes may be apart
 * @param retention from which the times to live follow
 * @param parallelism how many requests are in flight at once
 * @param plainHistory whether an item is written for each state, as other tools read them
 */
record DynamoDbSettings(
    String emails,
    String log,
    int shards,
    int logShards,
    Duration skew,
    RetentionSettings retention,
    int parallelism,
    boolean plainHistory) {}
