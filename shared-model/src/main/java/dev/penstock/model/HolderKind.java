package dev.penstock.model;

/** What holds slots. */
public enum HolderKind {
    /** A newer writer's kind: it holds slots like any other. */
    UNKNOWN,
    /** Requests of clients. */
    ROUTER,
    /** Probes of health-svc. */
    PROBER,
    /** Checks of a load balancer in front of Penstock. */
    EXTERNAL
}
