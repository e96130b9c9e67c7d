package dev.penstock.fleetsim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What was counted in one run. The run and its watches write it. */
final class Tally {
    /** A request is good when it waited in the engine no longer than that. */
    private static final long GOOD_WAIT_NANOS = 1_000_000_000L;

    long arrived;
    long completed;
    /** Ended by the death of their router. */
    long aborted;
    /** No router listened, it knew no replica, or none that it tried could be connected to. */
    long refused;
    /** By their engines. */
    long failed;
    /** In engines at the end of the run. */
    long running;

    long queued;
    /** Until that long after the kill some router counted requests of the dead one; 0 without a kill. */
    double deadCountSeconds;

    /** {@link PrefixWatch}: how long the restarted router knew less than the others; NaN of none. */
    double restartDipSeconds = Double.NaN;

    /** Of each {@link EngineFault}, in the scene's order. */
    final List<FaultTally> faults = new ArrayList<>();

    final SessionTally sessions = new SessionTally();

    /** Of what was sent while measuring. */
    final Latencies ttft = new Latencies();

    final Latencies latency = new Latencies();
    private long good;
    private long measured;
    private long waited;
    private long affected;
    private double affectedShare;
    private long hitTokens;
    private long promptTokens;
    private long looks;
    private double ratios;
    private int peakQueueNew;
    private double secondsToShare = Double.NaN;
    private double establishedGrowthPct = Double.NaN;
    private int[] sentToEach = {};

    /** {@link SpeedsWatch}; NaN where all replicas are alike. */
    double capacityErrorPct = Double.NaN;

    double utilisationGapPoints = Double.NaN;
    double starvedReplicas = Double.NaN;
    double convergeSeconds = Double.NaN;

    /** One more went there while measuring. */
    void sentTo(int number) {
        if (number >= sentToEach.length) sentToEach = Arrays.copyOf(sentToEach, 2 * number + 16);
        sentToEach[number]++;
    }

    int sentToSoFar(int number) {
        return number < sentToEach.length ? sentToEach[number] : 0;
    }

    void sent(boolean waits) {
        measured++;
        if (waits) waited++;
    }

    void ended(SimRequest request, long nowNanos) {
        completed++;
        if (!request.measured) return;
        ttft.add(request.firstTokenNanos - request.sentNanos);
        latency.add(nowNanos - request.sentNanos);
        hitTokens += request.hitTokens;
        promptTokens += request.promptTokens();
        if (request.startedNanos - request.sentNanos <= GOOD_WAIT_NANOS) good++;
    }

    long ended() {
        return completed + failed + aborted + refused;
    }

    /** One more went to a replica that has the fault. */
    void sentToAffected() {
        affected++;
    }

    /** @param share of the replicas that have the fault */
    void affectedShare(double share) {
        affectedShare = share;
    }

    void balance(double maxOverMean) {
        looks++;
        ratios += maxOverMean;
    }

    void queuedAtNew(int requests) {
        peakQueueNew = Math.max(peakQueueNew, requests);
    }

    void newcomers(double seconds, double growthPct) {
        secondsToShare = seconds;
        establishedGrowthPct = growthPct;
    }

    double maxOverMean() {
        return looks == 0 ? 0 : ratios / looks;
    }

    /** Tokens of prompts that engines had, of all. */
    double hitRatio() {
        return promptTokens == 0 ? 0 : (double) hitTokens / promptTokens;
    }

    double waitedPct() {
        return measured == 0 ? 0 : 100.0 * waited / measured;
    }

    double goodShare() {
        return measured == 0 ? 0 : (double) good / measured;
    }

    /** 1 is the fair share. */
    double affectedOverFair() {
        return measured == 0 || affectedShare == 0 ? 0 : affected / (affectedShare * measured);
    }

    int peakQueueNew() {
        return peakQueueNew;
    }

    double secondsToShare() {
        return secondsToShare;
    }

    double establishedGrowthPct() {
        return establishedGrowthPct;
    }
}
