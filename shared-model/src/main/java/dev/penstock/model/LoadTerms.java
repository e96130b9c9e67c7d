package dev.penstock.model;

/**
 * How a pool's KV caches and queues count, by the names that AIBrix's users know.
 *
 * @param queuedWeight how much a request that waits in the engine counts beyond being in flight; 0 because every router's
 *     in-flight has it already
 * @param kvPressureAlpha a replica whose KV cache is full weighs 1 + this
 * @param kvCriticalFree with less of its KV cache free a replica weighs eight times as much: a guardrail, no exclusion
 */
public record LoadTerms(double queuedWeight, double kvPressureAlpha, double kvCriticalFree) {
    public static final LoadTerms DEFAULT = new LoadTerms(0, 2, 0.1);
    public static final double MOST_QUEUED_WEIGHT = 16;
    public static final double MOST_KV_PRESSURE_ALPHA = 16;
}
