package dev.penstock.ledgermodel;

/** Requests that wait at one router; what comes when it is full is refused. */
final class RateQueue {
    private static final int MOST = 64;

    int waiting;
    /** Since they were last reported. */
    int arrivals;

    void arrive() {
        arrivals++;
        if (waiting < MOST) waiting++;
    }
}
