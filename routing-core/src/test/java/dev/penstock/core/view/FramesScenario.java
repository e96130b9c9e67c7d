package dev.penstock.core.view;

import static dev.penstock.core.view.SourceFleet.MS;
import static org.assertj.core.api.Assertions.fail;

import dev.penstock.core.view.DeliveredSamples.Belief;
import dev.penstock.model.Freshness;
import dev.penstock.model.InflightVector;
import dev.penstock.model.TelemetryFrame;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A collector, at times a second one for the same shards, and a peer that send to one view over a bad link, and a witness who sees what is sent, what arrives and what the
 * view then shows.
 */
final class FramesScenario {
    /** No process starts faster. */
    private static final long START = 500 * MS;

    final SourceFleet fleet;
    final ViewUnderTest view = new ViewUnderTest();
    SourcePeer peer;
    private final FaultyLink link;
    private final DeliveredSamples delivered = new DeliveredSamples();
    private final Map<Shown, Integer> highestVersion = new HashMap<>();
    private SourceCollector collector;
    private @Nullable SourceCollector second;
    private long incarnations = 1;
    private long collectorStarted;
    private long peerStarted;
    private long now;

    private record Shown(int number, long incarnation) {}

    enum Kind {
        NOTHING,
        READING,
        MUTE,
        IN_FLIGHT,
        RESTART_COLLECTOR,
        OVERLAP,
        RESTART_PEER,
        CUT,
        STALL
    }

    /** What happens before a tick. */
    record Change(Kind kind, int argument) {}

    FramesScenario(int shards, List<FaultyLink.Fate> fates) {
        fleet = new SourceFleet(shards);
        link = new FaultyLink(fates);
        collector = new SourceCollector(fleet, "collector-0", ++incarnations, now);
        peer = new SourcePeer(++incarnations);
        for (SourceFleet.Engine engine : fleet.engines) view.join(engine.number);
    }

    void run(List<Change> changes) {
        for (Change change : changes) {
            happens(change);
            tick();
        }
    }

    private void happens(Change change) {
        int argument = change.argument();
        SourceFleet.Engine engine = fleet.pick(argument);
        switch (change.kind()) {
            case NOTHING -> {}
            case READING -> engine.change();
            case MUTE -> engine.mute = !engine.mute;
            case IN_FLIGHT -> peer.inFlight.put(engine.number, argument % 5);
            case RESTART_COLLECTOR -> restartCollector();
            case OVERLAP -> overlap();
            case RESTART_PEER -> restartPeer();
            case CUT -> link.cut(now + argument * 20 * MS);
            case STALL -> link.stall(now + argument * 20 * MS);
        }
    }

    private void restartCollector() {
        if (now - collectorStarted < START) return;
        collector = new SourceCollector(fleet, "collector-0", ++incarnations, now);
        collectorStarted = now;
    }

    /** A second collector adopts the shards, or dies. */
    private void overlap() {
        if (second == null) second = new SourceCollector(fleet, "collector-1", ++incarnations, now);
        else second = null;
    }

    private void restartPeer() {
        if (now - peerStarted < START) return;
        peer = new SourcePeer(++incarnations);
        peerStarted = now;
    }

    /** From here on the link is perfect and every engine answers; returns once what was late has come. */
    void mend() {
        link.mend();
        for (SourceFleet.Engine engine : fleet.engines) engine.mute = false;
        while (!link.idle()) tick();
    }

    void run(long nanos) {
        for (long until = now + nanos; now < until; ) tick();
    }

    private void tick() {
        collector.tick(now).forEach(frame -> link.send(frame, now));
        if (second != null) second.tick(now).forEach(frame -> link.send(frame, now));
        if (now % SourcePeer.PERIOD == 0) link.send(peer.tick(now), now);
        long next = now + SourceCollector.TICK;
        for (FaultyLink.Transit transit = link.next(next - 1); transit != null; transit = link.next(next - 1)) {
            checkFresh(transit.due());
            deliver(transit);
            checkFresh(transit.due());
        }
        now = next;
        view.upkeep(now - 1);
        checkFresh(now - 1);
    }

    /** The time of the last tick's end. */
    long now() {
        return now - 1;
    }

    private void deliver(FaultyLink.Transit transit) {
        switch (transit.content()) {
            case TelemetryFrame frame -> deliver(frame, transit.sent(), transit.due());
            case InflightVector vector -> view.apply(vector, transit.due());
            default -> throw new IllegalStateException("nobody sends " + transit.content());
        }
    }

    private void deliver(TelemetryFrame frame, long sent, long at) {
        Map<SourceFleet.Engine, ReplicaCell.Telemetry> before = new HashMap<>();
        for (SourceFleet.Engine engine : fleet.engines) before.put(engine, view.shown(engine.number));
        view.apply(frame, at);
        Map<Integer, Belief> told = delivered.arrived(frame, sent, at);
        before.forEach((engine, old) -> {
            Belief belief = told.get(engine.number);
            ReplicaCell.Telemetry shown = view.shown(engine.number);
            if (belief == null || !taken(old, shown)) return;
            checkForward(engine, shown.running(), frame.header().incarnation());
            if (!old.held()) checkForward(engine, belief, at);
            delivered.believed(engine, belief);
        });
    }

    /** Not when it is merely held from here on. */
    private static boolean taken(ReplicaCell.Telemetry old, ReplicaCell.Telemetry shown) {
        return shown.sampledAtNanos() != old.sampledAtNanos()
                || shown.running() != old.running()
                || (old.held() && !shown.held());
    }

    private void checkForward(SourceFleet.Engine engine, int version, long incarnation) {
        int highest = highestVersion.merge(new Shown(engine.number, incarnation), version, Math::max);
        if (version < highest) {
            fail("replica %d: %d of %d is shown after %d", engine.number, version, incarnation, highest);
        }
    }

    /** Across collectors as well, where their times are known. */
    private void checkForward(SourceFleet.Engine engine, Belief belief, long at) {
        Belief before = delivered.belief(engine);
        if (!before.exact() || !belief.exact()) return;
        if (belief.sampledAt() < before.sampledAt() - DeliveredSamples.drift(at)) {
            fail(
                    "replica %d: the sample of %d replaced that of %d",
                    engine.number, belief.sampledAt(), before.sampledAt());
        }
    }

    /** FRESH: a sample so young arrived, not as its stream's first, and the engine did have the reading then. */
    private void checkFresh(long at) {
        for (SourceFleet.Engine engine : fleet.engines) {
            if (view.freshness(engine.number, at) != Freshness.FRESH) continue;
            long from = delivered.freshFrom(engine, at);
            if (!delivered.anySince(engine, from)) {
                fail("replica %d is FRESH at %d, but no sample since %d arrived", engine.number, at, from);
            }
            if (delivered.belief(engine).first()) fail("replica %d is FRESH by a first frame", engine.number);
            int version = view.shown(engine.number).running();
            long lastTrue = engine.lastSampledByVersion.get(version);
            if (lastTrue < from) {
                fail("replica %d: version %d is FRESH at %d and ended at %d", engine.number, version, at, lastTrue);
            }
        }
    }
}
