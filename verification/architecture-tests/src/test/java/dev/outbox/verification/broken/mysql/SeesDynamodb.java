package dev.outbox.verification.broken.mysql;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.dynamodb.Unlisted;

@Breaks("mysqlSeesOnlyEmailAndStore")
record SeesDynamodb(Unlisted seen) {}
