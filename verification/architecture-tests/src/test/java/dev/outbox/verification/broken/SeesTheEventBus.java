package dev.outbox.verification.broken;

import com.google.common.eventbus.lookalike.EventBus;
import dev.outbox.verification.architecture.Breaks;

@Breaks("theEventBusStaysInEventInternalJavalinAndTheBuilder")
record SeesTheEventBus(EventBus seen) {}
