package org.jdbi.lookalike;

/** Stands for a library that need not be here for a rule about it to be tried. */
public record Jdbi() {}
