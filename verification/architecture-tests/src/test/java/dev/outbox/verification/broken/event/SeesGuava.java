package dev.outbox.verification.broken.event;

import com.google.common.lookalike.Guava;
import dev.outbox.verification.architecture.Breaks;

@Breaks("guavaIsOnlyTheEventBus")
record SeesGuava(Guava seen) {}
