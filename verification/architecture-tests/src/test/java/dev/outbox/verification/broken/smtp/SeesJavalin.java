package dev.outbox.verification.broken.smtp;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.javalin.Unlisted;

@Breaks("smtpSeesOnlyEmailAndTransport")
record SeesJavalin(Unlisted seen) {}
