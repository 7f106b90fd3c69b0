package dev.outbox.verification.broken.mysql;

import dev.outbox.verification.architecture.Breaks;

@Breaks("thePublicTypesOf_mysql_AreListed")
public record Unlisted() {}
