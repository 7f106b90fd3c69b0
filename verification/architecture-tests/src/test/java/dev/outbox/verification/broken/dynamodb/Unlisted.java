package dev.outbox.verification.broken.dynamodb;

import dev.outbox.verification.architecture.Breaks;

@Breaks("thePublicTypesOf_dynamodb_AreListed")
public record Unlisted() {}
