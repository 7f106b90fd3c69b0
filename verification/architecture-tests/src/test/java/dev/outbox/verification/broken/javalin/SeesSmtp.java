package dev.outbox.verification.broken.javalin;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.smtp.Unlisted;

@Breaks("javalinSeesOnlyExportedPackages")
record SeesSmtp(Unlisted seen) {}
