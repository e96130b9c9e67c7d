package dev.penstock.ledgermodel;

import dev.penstock.core.rate.FallingLimit;
import dev.penstock.core.rate.RateLimit;
import java.util.Arrays;

/**
 * Holds what was admitted against the limit: against one bucket that fills at the limit and holds max(1, B), which finds the worst
 * window of all; and in windows of 10 s, or of the 50 requests of which one is 2 %.
 */
final class RateJudge {
    /** A change of the limit reaches routers within this time, and may be gone by until then. */
    static final long LAG_NANOS = 200_000_000L;

    private static final long SAMPLE_NANOS = 10_000_000L;
    private static final int LAG_SAMPLES = (int) (LAG_NANOS / SAMPLE_NANOS) + 1;
    private static final long WINDOW_NANOS = 10_000_000_000L;
    private static final double WINDOW_REQUESTS = 50;
    private static final double EPSILON = 1e-6;

    private final RateCourse course;
    private final FallingLimit limit;
    private final long[] recent = new long[LAG_SAMPLES];
    /** Up to each sample, in 10^-12 of a request: exact, since a hair more than 2 % would fail. */
    private final long[] allowedPicos;

    private final int[] admitted;
    private int samples;
    private double level;
    private double lowest;
    private int count;
    private long sumPicos;
    private long cutAdmitted;
    private double cutAllowed;

    RateJudge(RateCourse course) {
        this.course = course;
        limit = new FallingLimit(course.milliRps(), 0);
        int size = (int) (course.endNanos() / SAMPLE_NANOS) + 2;
        allowedPicos = new long[size];
        admitted = new int[size];
        level = new RateLimit(course.milliRps()).burstMicros() / 1e6;
        Arrays.fill(recent, course.milliRps());
    }

    void step(long beforeNanos, long nowNanos) {
        course.tell(limit, beforeNanos, nowNanos);
        double seconds = (nowNanos - beforeNanos) / 1e9;
        long now = limit.now(nowNanos).milliRps();
        recent[samples % LAG_SAMPLES] = Math.max(now, recent[samples % LAG_SAMPLES]);
        RateLimit most = new RateLimit(most());
        level = Math.min(most.burstMicros() / 1e6, level + most.milliRps() / 1e3 * seconds);
        sumPicos += now * (nowNanos - beforeNanos);
        if (course.cut(nowNanos)) cutAllowed += now / 1e3 * seconds;
        if (nowNanos / SAMPLE_NANOS == beforeNanos / SAMPLE_NANOS) return;
        samples++;
        recent[samples % LAG_SAMPLES] = now;
        allowedPicos[samples] = sumPicos;
        admitted[samples] = count;
    }

    private long most() {
        long most = 0;
        for (long each : recent) most = Math.max(most, each);
        return most;
    }

    void admitted(long nowNanos) {
        count++;
        level--;
        lowest = Math.min(lowest, level);
        if (course.cut(nowNanos)) cutAdmitted++;
    }

    /** Requests beyond limit x t + max(1, B), in the worst window. */
    double aboveBurst() {
        return lowest > -EPSILON ? 0 : Math.ceil(-lowest - EPSILON);
    }

    /** The worst window in which demand was above the limit and nobody cut off. */
    double windowErrorPct() {
        double worst = 0;
        int to = 0;
        int shortest = (int) (WINDOW_NANOS / SAMPLE_NANOS);
        for (int from = 0; from + shortest <= samples; from++) {
            to = Math.max(to, from + shortest);
            while (to < samples && allowed(from, to) < WINDOW_REQUESTS) to++;
            double should = allowed(from, to);
            if (should < WINDOW_REQUESTS) break;
            // one that is longer than 10 s ends within its last sample, at its last request
            if (to > from + shortest) should = WINDOW_REQUESTS;
            if (!course.judged(from * SAMPLE_NANOS, to * SAMPLE_NANOS)) continue;
            worst = Math.max(worst, off(admitted[to] - admitted[from], should) / should * 100);
        }
        return worst;
    }

    private double allowed(int from, int to) {
        return (allowedPicos[to] - allowedPicos[from]) / 1e12;
    }

    /** Whole requests: a window holds no part of one. */
    private static double off(int admitted, double should) {
        return Math.max(0, Math.max(Math.floor(should) - admitted, admitted - Math.ceil(should)));
    }

    /** While one router is cut off, of what the limit allows. */
    double cutOffPct() {
        return cutAdmitted / cutAllowed * 100;
    }
}
