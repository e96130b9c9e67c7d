package dev.penstock.ledgermodel;

/**
 * A record of the registrations: of a router, by its number.
 *
 * @param epoch of the owner that settled it, or that it followed last when it left
 */
record Registration(What what, int router, int replica, long epoch) {
    enum What {
        REGISTERED,
        LEFT,
        DIED,
        SETTLED
    }
}
