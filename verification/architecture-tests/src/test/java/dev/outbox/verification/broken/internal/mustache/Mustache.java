package dev.outbox.verification.broken.internal.mustache;

/** A type at the place of the relocated library's. */
public interface Mustache {}
