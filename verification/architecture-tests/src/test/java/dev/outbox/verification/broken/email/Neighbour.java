package dev.outbox.verification.broken.email;

/** A class that others can see. */
public record Neighbour() {}
