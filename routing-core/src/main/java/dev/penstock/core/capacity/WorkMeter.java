package dev.penstock.core.capacity;

/**
 * One replica's token counters and requests in flight, made into ticks for {@link CapacityLearner}: work units done, and how
 * many requests were in flight meanwhile. A prompt token that has to be computed counts as a part of an output token, because
 * an engine computes many of them at once; what is in its cache counts as nothing. One writer.
 */
public final class WorkMeter {
    /** Prompt tokens are computed ten times as fast as output tokens come from a full batch, roughly, on any hardware. */
    public static final double UNITS_PER_PROMPT_TOKEN = 0.1;

    private boolean begun;
    private boolean spoilt;
    private double units;
    private double unitsAtTick;
    private long tickNanos;
    private int inflight;
    private long sampledNanos;
    private double inflightNanos;
    private double work;
    private double meanInflight;
    private long dtNanos;

    /** @param promptTokens computed, not cached */
    public static double units(long promptTokens, long outputTokens) {
        return UNITS_PER_PROMPT_TOKEN * promptTokens + outputTokens;
    }

    /**
     * One scrape.
     *
     * @param next units since the engine began: {@link #units}, or of an engine that answers with no tokens (embeddings)
     *     completions; never one over latency, which blames a replica for what it was given
     * @param inflightNow running and waiting
     */
    public void sample(double next, int inflightNow, long nowNanos) {
        if (!LearnedCapacity.amount(next) || inflightNow < 0 || (begun && nowNanos - sampledNanos < 0)) {
            spoilt = true;
            return;
        }
        if (next < units) spoilt = true;
        if (begun) inflightNanos += (double) inflight * (nowNanos - sampledNanos);
        units = next;
        inflight = Math.max(0, inflightNow);
        sampledNanos = nowNanos;
        if (!begun) {
            begun = true;
            begin();
        }
    }

    /** Ends a tick with the last scrape. False when nothing whole is known of it: one scrape only, or counters that fell. */
    public boolean tick() {
        if (!begun) return false;
        work = units - unitsAtTick;
        dtNanos = sampledNanos - tickNanos;
        meanInflight = dtNanos > 0 ? inflightNanos / dtNanos : 0;
        boolean whole = !spoilt && dtNanos > 0;
        begin();
        return whole;
    }

    private void begin() {
        spoilt = false;
        unitsAtTick = units;
        tickNanos = sampledNanos;
        inflightNanos = 0;
    }

    public double work() {
        return work;
    }

    public double meanInflight() {
        return meanInflight;
    }

    public long dtNanos() {
        return dtNanos;
    }
}
