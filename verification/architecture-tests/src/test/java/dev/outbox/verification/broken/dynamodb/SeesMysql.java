package dev.outbox.verification.broken.dynamodb;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.mysql.Unlisted;

@Breaks("dynamodbSeesOnlyWhatStoresMaySee")
record SeesMysql(Unlisted seen) {}
