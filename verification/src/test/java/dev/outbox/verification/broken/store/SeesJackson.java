package dev.outbox.verification.broken.store;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outbox.verification.architecture.Breaks;

@Breaks("jacksonStaysInEmailCallbackAndInternal")
record SeesJackson(JsonNode seen) {}
