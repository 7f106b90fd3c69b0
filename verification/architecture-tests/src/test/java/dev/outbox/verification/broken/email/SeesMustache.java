package dev.outbox.verification.broken.email;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.internal.mustache.Mustache;

@Breaks("mustacheStaysInTemplate")
record SeesMustache(Mustache seen) {}
