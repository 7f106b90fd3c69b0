package dev.outbox.verification.broken.store;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outbox.verification.architecture.Breaks;

@Breaks("jacksonStaysInEmailCallbackInternalAndJavalin")
record SeesJackson(JsonNode seen) {}
