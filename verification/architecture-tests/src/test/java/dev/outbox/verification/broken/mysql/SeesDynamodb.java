package dev.outbox.verification.broken.mysql;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.dynamodb.Unlisted;

@Breaks("mysqlSeesOnlyWhatStoresMaySee")
record SeesDynamodb(Unlisted seen) {}
