package dev.outbox.verification.broken.testkit;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.mysql.Unlisted;

@Breaks("testkitSeesOnlyExportedPackages")
record SeesMysql(Unlisted seen) {}
