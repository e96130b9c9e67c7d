package dev.penstock.ledgermodel;

/** Who lets requests pass, at which router. */
interface RatePolicy {
    /** Once per step of the run, before anything passes. */
    void step(long nowNanos, RateQueue[] queues);

    boolean admits(int router, long nowNanos);
}
