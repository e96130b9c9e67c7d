package dev.penstock.model;

/**
 * Somebody claims a single-writer role, or gives it up. Whoever wrote the latest claim owns the role (unless it is a
 * release), and the record's offset is the epoch that its records carry.
 *
 * @param role {@code roster}, {@code verdicts}, {@code policy}, {@code advice}
 */
public record ClaimRecord(Header header, String role, boolean released) {}
