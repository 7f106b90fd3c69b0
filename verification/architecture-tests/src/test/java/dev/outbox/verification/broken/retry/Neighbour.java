package dev.outbox.verification.broken.retry;

/** A class that others can see. */
public record Neighbour() {}
