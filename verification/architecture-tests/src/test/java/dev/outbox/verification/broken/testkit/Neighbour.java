package dev.outbox.verification.broken.testkit;

/** A class that others can see. */
public record Neighbour() {}
