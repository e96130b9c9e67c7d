package dev.penstock.core.view;

import dev.penstock.core.quarantine.FailureOdds;
import dev.penstock.core.quarantine.Quarantine;
import dev.penstock.core.quarantine.SilenceRule;
import dev.penstock.model.Freshness;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.random.RandomGenerator;

/**
 * The numbers of one replica that outlive roster images. Own in-flight and quarantine are written by every event loop
 * (atomically); peers' counts and telemetry by the view's one writer; all are read by every event loop.
 */
public final class ReplicaCell {
    private static final AtomicReferenceFieldUpdater<ReplicaCell, Quarantine> QUARANTINE =
            AtomicReferenceFieldUpdater.newUpdater(ReplicaCell.class, Quarantine.class, "quarantine");

    private final AtomicInteger own = new AtomicInteger();
    private volatile Quarantine quarantine = Quarantine.CLEAR;
    private volatile int peersMilli;
    private volatile Telemetry telemetry = Telemetry.NONE;
    private volatile FailureOdds odds = FailureOdds.QUIET;
    private final FailureRate failureRate = new FailureRate();
    private final OpenStreams streams = new OpenStreams();
    private long heartbeat;
    private volatile long heartbeatMovedNanos;

    /**
     * The last sample.
     *
     * @param sampledAtNanos on this process's monotonic clock, everything the sample spent on its way taken off
     * @param held at best STALE: a record before it is missing, or its transit time is not known yet
     * @param everFresh a replica is a candidate from its first FRESH sample on
     */
    public record Telemetry(
            int running,
            int waiting,
            int kvUsedPpm,
            long sampledAtNanos,
            long intervalNanos,
            boolean seen,
            boolean held,
            boolean everFresh) {
        static final Telemetry NONE = new Telemetry(0, 0, -1, 0, 0, false, false, false);

        public Freshness freshness(long nowNanos) {
            if (!seen) return Freshness.MISSING;
            Freshness byAge = Freshness.of(nowNanos - sampledAtNanos, intervalNanos);
            return held && byAge == Freshness.FRESH ? Freshness.STALE : byAge;
        }

        Telemetry asHeld() {
            return new Telemetry(running, waiting, kvUsedPpm, sampledAtNanos, intervalNanos, seen, true, everFresh);
        }
    }

    public int own() {
        return own.get();
    }

    /** Called before a request is sent; exactly one {@link #release} follows on whatever ending. */
    public void acquire() {
        own.incrementAndGet();
    }

    public void release() {
        own.decrementAndGet();
    }

    /** Own plus peers' in-flight, in thousandths (peers fade by fractions). */
    public long loadMilli() {
        return own.get() * 1000L + peersMilli;
    }

    public int peersMilli() {
        return peersMilli;
    }

    void peersMilli(int value) {
        peersMilli = value;
    }

    public Telemetry telemetry() {
        return telemetry;
    }

    void telemetry(Telemetry next) {
        telemetry = next;
    }

    /** A candidate from its first FRESH sample on; STALE and MISSING never exclude. */
    public boolean candidate() {
        return telemetry.everFresh();
    }

    /** Makes it a candidate without a sample: its endpoint answered for itself while the state plane is away. */
    public void vouchFor() {
        Telemetry t = telemetry;
        telemetry = new Telemetry(
                t.running(),
                t.waiting(),
                t.kvUsedPpm(),
                t.sampledAtNanos(),
                t.intervalNanos(),
                t.seen(),
                t.held(),
                true);
    }

    public Quarantine quarantine() {
        return quarantine;
    }

    /** True when this caller may send: no quarantine, or it took the one trial. */
    public boolean enter(long nowNanos) {
        Quarantine state = quarantine;
        return switch (state) {
            case Quarantine.Clear clear -> true;
            case Quarantine.Shut shut -> false;
            case Quarantine.Trial trial -> !trial.taken() && takeTrial(trial, nowNanos);
        };
    }

    private boolean takeTrial(Quarantine.Trial trial, long nowNanos) {
        if (!QUARANTINE.compareAndSet(this, trial, trial.take())) return false;
        streams.heardFrom(nowNanos);
        return true;
    }

    /**
     * Returns true when this failure shut the replica out.
     *
     * @param weight of the failure in the failure sum; 0 for a connect
     */
    public boolean failed(double weight, long nowNanos, RandomGenerator random) {
        if (weight > 0) failureRate.failed();
        double step = weight * odds.failureStep();
        while (true) {
            Quarantine before = quarantine;
            Quarantine after = before.failed(step, nowNanos, random);
            if (swapped(before, after)) return shuts(before, after);
        }
    }

    /** Returns true when this success ended a quarantine. */
    public boolean succeeded() {
        failureRate.succeeded();
        while (true) {
            Quarantine before = quarantine;
            if (swapped(before, before.succeeded(odds.successStep()))) {
                return before instanceof Quarantine.Trial;
            }
        }
    }

    /** Shuts the replica out if its open streams are silent; returns true when that happened. The view's writer calls it. */
    public boolean shutIfSilent(long nowNanos, RandomGenerator random) {
        Telemetry t = telemetry;
        boolean fresh = t.freshness(nowNanos) == Freshness.FRESH;
        if (!SilenceRule.silent(
                streams.count(),
                streams.promptTokens(),
                streams.lastByteNanos(),
                fresh,
                heartbeatMovedNanos,
                nowNanos)) {
            return false;
        }
        Quarantine before = quarantine;
        Quarantine after = before.silent(nowNanos, random);
        return swapped(before, after) && shuts(before, after);
    }

    private boolean swapped(Quarantine before, Quarantine after) {
        return before == after || QUARANTINE.compareAndSet(this, before, after);
    }

    private static boolean shuts(Quarantine before, Quarantine after) {
        return after instanceof Quarantine.Shut && !(before instanceof Quarantine.Shut);
    }

    /** The streams this router has open there. */
    public OpenStreams streams() {
        return streams;
    }

    FailureRate failureRate() {
        return failureRate;
    }

    void odds(FailureOdds next) {
        odds = next;
    }

    /** A sample told this heartbeat: remembers when it last moved. */
    void heartbeat(long value, long sampledAtNanos) {
        if (value == heartbeat) return;
        heartbeat = value;
        heartbeatMovedNanos = sampledAtNanos;
    }

    public void endedNeutrally() {
        while (true) {
            Quarantine before = quarantine;
            Quarantine after = before.endedNeutrally();
            if (before == after || QUARANTINE.compareAndSet(this, before, after)) return;
        }
    }

    /** The result of the router's own connect, asked for when {@link Quarantine.Shut#connectDue}. */
    public void connectResult(boolean passed, long nowNanos, RandomGenerator random) {
        if (quarantine instanceof Quarantine.Shut shut) {
            QUARANTINE.compareAndSet(this, shut, passed ? shut.connected() : shut.connectFailed(nowNanos, random));
        }
    }
}
