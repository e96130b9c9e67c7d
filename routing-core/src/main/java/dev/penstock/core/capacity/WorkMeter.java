package dev.penstock.core.capacity;

import dev.penstock.model.Sample;
import java.time.Duration;

/**
 * The readings of one replica made into ticks of about a second: work done, requests in flight on average, and how long.
 *
 * <pre>
 *   work = output tokens + 0.1 x computed prompt tokens      or completions, of an engine that generates nothing
 * </pre>
 *
 * A prompt token costs a tenth because an engine computes many of them at once. Output is a counter, or a rate integrated
 * over the time in which something ran, because SGLang's last rate stands on for up to 30 s after the work has ended. A
 * page that stands still while requests are in flight says nothing: its tick waits until it moves, and is dropped after
 * 5 s. So is one in which the counters fell, or readings were missing for 3 s under load. One thread.
 */
public final class WorkMeter {
    static final double UNITS_PER_PROMPT_TOKEN = 0.1;

    private static final long GAP_NANOS = Duration.ofSeconds(3).toNanos();
    private static final long LONGEST_TICK_NANOS = Duration.ofSeconds(5).toNanos();
    private static final double IN_FLIGHT = 0.5;

    private boolean begun;
    private boolean spoilt;
    private boolean moved;
    private Work work = Work.UNKNOWN;
    private long heartbeat;
    private long promptTokens;
    private int inflight;
    private long sampledNanos;

    private long tickStartNanos;
    private double tickWork;
    private double tickInflightNanos;

    private double doneWork;
    private double meanInflight;
    private long dtNanos;

    /**
     * @param nowHeartbeat a counter that moves with each engine step; {@link Sample#UNKNOWN} where the answer is proof enough
     * @param running requests that the engine works on
     * @param inflightNow requests at the replica, by whatever is the best account of them
     */
    public void sample(Work next, long nowHeartbeat, int running, int inflightNow, long nowNanos) {
        if (begun) {
            long elapsed = nowNanos - sampledNanos;
            boolean fell = fell(work.generatedTokens(), next.generatedTokens())
                    || fell(work.completions(), next.completions());
            // an idle engine may be looked at once in 10 s only
            boolean quiet = inflight == 0 && inflightNow == 0;
            if ((elapsed > GAP_NANOS && !quiet) || fell) spoilt = true;
            else add(next, nowHeartbeat, running, inflightNow, elapsed);
            if (fell) promptTokens = next.computedPromptTokens();
        } else {
            promptTokens = next.computedPromptTokens();
        }
        work = next;
        promptTokens = Math.max(promptTokens, next.computedPromptTokens());
        heartbeat = nowHeartbeat;
        inflight = inflightNow;
        sampledNanos = nowNanos;
        if (!begun) {
            begun = true;
            begin();
        }
    }

    private void add(Work next, long nowHeartbeat, int running, int inflightNow, long elapsed) {
        moved |= nowHeartbeat == Sample.UNKNOWN || nowHeartbeat != heartbeat;
        tickInflightNanos += (inflight + inflightNow) / 2.0 * elapsed;
        if (next.generatedTokens() == 0 && next.completions() >= 0) {
            // it may be about to generate: then completions are not its unit
            spoilt |= next.completions() == 0 && next.computedPromptTokens() > promptTokens;
            tickWork += gain(work.completions(), next.completions());
            return;
        }
        tickWork += gain(work.generatedTokens(), next.generatedTokens())
                + UNITS_PER_PROMPT_TOKEN * gain(promptTokens, next.computedPromptTokens());
        if (next.generatedTokens() == Sample.UNKNOWN && next.tokensPerSecond() > 0 && running > 0) {
            tickWork += next.tokensPerSecond() * elapsed / 1e9;
        }
    }

    /** The engine began anew: nothing before is compared with anything after. */
    public void restarted() {
        spoilt = true;
    }

    /** Ends the tick with the last reading. False when nothing whole is known of it, or it has to go on. */
    public boolean tick() {
        long length = sampledNanos - tickStartNanos;
        if (!begun || length <= 0) return false;
        double mean = tickInflightNanos / length;
        boolean still = mean >= IN_FLIGHT && !moved;
        if (still && !spoilt && length < LONGEST_TICK_NANOS) return false;
        doneWork = tickWork;
        meanInflight = mean;
        dtNanos = length;
        boolean whole = !spoilt && !still;
        begin();
        return whole;
    }

    private void begin() {
        spoilt = false;
        moved = false;
        tickStartNanos = sampledNanos;
        tickWork = 0;
        tickInflightNanos = 0;
    }

    public double work() {
        return doneWork;
    }

    public double meanInflight() {
        return meanInflight;
    }

    public long dtNanos() {
        return dtNanos;
    }

    private static boolean fell(long before, long after) {
        return before != Sample.UNKNOWN && after != Sample.UNKNOWN && after < before;
    }

    private static double gain(long before, long after) {
        return before == Sample.UNKNOWN || after == Sample.UNKNOWN ? 0 : Math.max(0, after - before);
    }
}
