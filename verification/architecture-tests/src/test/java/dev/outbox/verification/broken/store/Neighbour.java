package dev.outbox.verification.broken.store;

/** A class that others can see. */
public record Neighbour() {}
