package dev.outbox.verification.broken.smtp;

import dev.outbox.verification.architecture.Breaks;

@Breaks("thePublicTypesOf_smtp_AreListed")
public record Unlisted() {}
