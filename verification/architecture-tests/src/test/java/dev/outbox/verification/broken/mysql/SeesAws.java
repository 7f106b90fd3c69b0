package dev.outbox.verification.broken.mysql;

import dev.outbox.verification.architecture.Breaks;
import software.amazon.lookalike.Aws;

@Breaks("awsStaysInDynamodb")
record SeesAws(Aws seen) {}
