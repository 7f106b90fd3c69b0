package dev.outbox.verification.broken.smtp;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.store.Neighbour;

@Breaks("smtpSeesOnlyEmailAndTransport")
record SeesStore(Neighbour seen) {}
