package dev.outbox.verification.broken;

/** A class that others can see. */
public record Neighbour() {}
