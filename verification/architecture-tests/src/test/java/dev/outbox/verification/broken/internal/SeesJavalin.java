package dev.outbox.verification.broken.internal;

import dev.outbox.verification.architecture.Breaks;
import io.javalin.lookalike.Javalin;

@Breaks("javalinStaysInJavalin")
record SeesJavalin(Javalin seen) {}
