package dev.outbox.verification.broken.callback;

/** A class that others can see. */
public record Neighbour() {}
