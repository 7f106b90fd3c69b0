package dev.outbox.verification.broken.javalin;

import dev.outbox.verification.architecture.Breaks;

@Breaks("thePublicTypesOf_javalin_AreListed")
public record Unlisted() {}
