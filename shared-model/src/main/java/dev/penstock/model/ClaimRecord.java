package dev.penstock.model;

import org.jspecify.annotations.Nullable;

/**
 * Somebody claims a single-writer role, or gives it up. Whoever wrote the latest claim owns the role (unless it is a
 * release), and the record's offset is the epoch that its records carry.
 *
 * @param role {@code roster}, {@code verdicts}, {@code policy}, {@code advice}, {@code ledger/<namespace>/<pool>}
 * @param address {@code host:port} where the owner is reached, for roles whose owner is called
 */
public record ClaimRecord(
        Header header,
        String role,
        boolean released,
        @Nullable String address) {
    public ClaimRecord(Header header, String role, boolean released) {
        this(header, role, released, null);
    }
}
