package dev.penstock.router.session;

/**
 * A pin as this router wants it.
 *
 * @param oldOwner whom the fleet is taken to have; -1 = nobody
 * @param version the highest known
 */
record Proposal(String model, long key, int oldOwner, int newOwner, int version) {
    /** Both in one: from the owner that the earlier one knew to the one that the later one wants. */
    Proposal then(Proposal later) {
        return new Proposal(model, key, oldOwner, later.newOwner, Math.max(version, later.version));
    }
}
