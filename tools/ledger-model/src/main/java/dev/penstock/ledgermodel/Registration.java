package dev.penstock.ledgermodel;

/**
 * A record of the registrations: of a router, by its number.
 *
 * @param epoch of the owner that settled it
 */
record Registration(What what, int router, int replica, long epoch) {
    enum What {
        REGISTERED,
        LEFT,
        DIED,
        SETTLED
    }
}
