package dev.outbox.verification.broken.internal.run;

/** A class that others can see. */
public record Neighbour() {}
