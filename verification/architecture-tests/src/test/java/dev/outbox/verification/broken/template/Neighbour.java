package dev.outbox.verification.broken.template;

/** A class that others can see. */
public record Neighbour() {}
