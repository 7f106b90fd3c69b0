package dev.outbox.verification.broken.event;

/** A class that others can see. */
public record Neighbour() {}
