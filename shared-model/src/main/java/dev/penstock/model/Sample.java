package dev.penstock.model;

/**
 * What one scrape told about a replica.
 *
 * @param kvUsedPpm used share of KV blocks in millionths, or {@link #UNKNOWN}
 * @param heartbeat a counter that must move while work is in flight (engine steps)
 * @param capacityMilli learned capacity: requests in flight at which it does half of what it can, thousandths; 0 = not
 *     learned. Replicas with in-flight in proportion to it are equally utilised
 * @param ageMicros age at sending: time since the engine was last known to be in this state
 * @param intervalMillis the replica's present sampling interval, which freshness is judged by
 */
public record Sample(
        int number,
        int running,
        int waiting,
        int kvUsedPpm,
        long heartbeat,
        int capacityMilli,
        long ageMicros,
        int intervalMillis,
        int flags) {
    public static final int UNKNOWN = -1;

    /** In {@code flags}: the engine's weights are not loaded. */
    public static final int SLEEPING = 1;

    /** In {@code flags}, for 3 s: the engine's counters began anew. */
    public static final int RESTARTED = 2;

    public boolean sleeping() {
        return (flags & SLEEPING) != 0;
    }

    public boolean restarted() {
        return (flags & RESTARTED) != 0;
    }

    /** True when both samples say the same of the engine; ages and intervals are not part of that. */
    public boolean sameReading(Sample other) {
        return number == other.number
                && running == other.running
                && waiting == other.waiting
                && kvUsedPpm == other.kvUsedPpm
                && heartbeat == other.heartbeat
                && capacityMilli == other.capacityMilli
                && intervalMillis == other.intervalMillis
                && flags == other.flags;
    }
}
