package dev.outbox.verification.broken.internal;

/** A class that others can see. */
public record Neighbour() {}
