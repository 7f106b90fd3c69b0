package dev.outbox.verification.broken.transport;

/** A class that others can see. */
public record Neighbour() {}
