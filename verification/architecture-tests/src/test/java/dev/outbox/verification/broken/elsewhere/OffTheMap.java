package dev.outbox.verification.broken.elsewhere;

import dev.outbox.verification.architecture.Breaks;

@Breaks({"everyPackageIsOnTheMap", "everyPackageIsNullMarked"})
record OffTheMap() {}
