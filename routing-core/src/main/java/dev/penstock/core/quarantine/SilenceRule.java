package dev.penstock.core.quarantine;

/**
 * When a replica with open streams counts as silent: no byte came from it on any connection for max(1.5 s, 3 x outstanding
 * prompt tokens / prefill rate), 30 s at most, and its heartbeat, as far as telemetry is FRESH, has not moved for as long either. An
 * engine that computes without a byte for us (a long step, another router's batch) is busy and not silent; an engine whose
 * scrapes fail has no heartbeat to speak for it.
 */
public final class SilenceRule {
    private static final long LEAST_NANOS = 1_500_000_000L;
    /** What is outstanding at a dead replica grows with each request sent there: patience must not grow with it for ever. */
    private static final long MOST_NANOS = 30_000_000_000L;

    private static final double PROMPT_FACTOR = 3;

    /** Until prefill rates are learned: a 70B model on four H100 prefills some 2,000 to 8,000 tokens per second. */
    private static final double PREFILL_TOKENS_PER_SECOND = 2_000;

    private SilenceRule() {}

    /**
     * @param streams open streams of this router
     * @param lastByteNanos of any connection, or when the first of the open streams was sent
     * @param heartbeatMovedNanos last movement; with {@code heartbeatKnown} false it is not looked at
     */
    public static boolean silent(
            int streams,
            long outstandingPromptTokens,
            long lastByteNanos,
            boolean heartbeatKnown,
            long heartbeatMovedNanos,
            long nowNanos) {
        if (streams <= 0) return false;
        long patience = patienceNanos(outstandingPromptTokens);
        if (nowNanos - lastByteNanos < patience) return false;
        return !heartbeatKnown || nowNanos - heartbeatMovedNanos >= patience;
    }

    static long patienceNanos(long outstandingPromptTokens) {
        double prefill = PROMPT_FACTOR * outstandingPromptTokens / PREFILL_TOKENS_PER_SECOND * 1e9;
        return Math.clamp((long) prefill, LEAST_NANOS, MOST_NANOS);
    }
}
