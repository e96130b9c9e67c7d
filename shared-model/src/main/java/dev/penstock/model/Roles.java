package dev.penstock.model;

/** Roles that have one writer at a time. */
public final class Roles {
    /** Numbers replicas; telemetry-collector. */
    public static final String ROSTER = "roster";

    /** Judges replicas; health-svc. */
    public static final String VERDICTS = "verdicts";

    /** Publishes policies and rate shares; admission-svc. */
    public static final String POLICY = "policy";

    /** Plans replicas; autoscale-advisor. */
    public static final String ADVICE = "advice";

    private static final String LEDGER_PREFIX = "ledger/";

    private Roles() {}

    /** Owns a pool's slots; admission-svc. */
    public static String ledger(PoolId pool) {
        return LEDGER_PREFIX + pool;
    }
}
