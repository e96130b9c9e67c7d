package dev.penstock.fleetsim;

import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.model.EngineKind;
import dev.penstock.model.Header;
import dev.penstock.model.InflightVector;
import dev.penstock.model.PoolId;
import dev.penstock.model.Replica;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.TelemetryFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** One run: a scene under a policy and a seed. A request takes no time between client, router and engine. */
final class Fleet {
    static final String MODEL = "sim/model";

    private static final long LOOK_NANOS = 100_000_000L;
    private static final long DEAD_LOOK_NANOS = 10_000_000L;
    /** More than a period of full vectors and their way. */
    private static final long WITNESS_NANOS = 2_000_000_000L;
    /** Half a request: what rounding leaves in the cells is less. */
    private static final long DEAD_MILLI = 500;

    private final Scene scene;
    private final Policy policy;
    private final Streams streams;
    private final EventQueue events = new EventQueue();
    private final List<Engine> engines = new ArrayList<>();
    private final List<RosterRecord> roster = new ArrayList<>();
    private final List<SimRouter> routers = new ArrayList<>();
    private final List<SimRouter> listening = new ArrayList<>();
    private final Link vectorLink;
    private final Link frameLink;
    private final SplittableRandom arrivals;
    private final SplittableRandom splits;
    private final SplittableRandom services;
    private final SplittableRandom phases;
    private final Tally tally = new Tally();
    private long incarnations;

    Fleet(Scene scene, Policy policy, long seed) {
        this.scene = scene;
        this.policy = policy;
        this.streams = new Streams(seed);
        this.vectorLink = new Link(events, scene.vectorLink(), streams.of("vector link"));
        this.frameLink = new Link(events, scene.frameLink(), streams.of("frame link"));
        this.arrivals = streams.of("arrivals");
        this.splits = streams.of("splits");
        this.services = streams.of("services");
        this.phases = streams.of("phases");
    }

    /** To be called once. */
    Tally run() {
        for (int number = 0; number < scene.replicas(); number++) {
            engines.add(new Engine(events, scene.slots(), this::completed));
            roster.add(rosterRecord(number));
        }
        for (int i = 0; i < scene.routers(); i++) {
            SimRouter router = boot(i);
            routers.add(router);
            listening.add(router);
        }
        scrapeInto(new SimCollector(engines));
        // The first arrivals come when every router has had its second frame: before that nobody is a candidate.
        events.after(scene.frameLink().delayNanos() + 3 * Scene.FRAME_PERIOD_NANOS, this::nextArrival);
        events.every(scene.warmNanos(), LOOK_NANOS, this::lookAtBalance);
        Scene.Kill kill = scene.kill();
        if (kill != null) events.at(scene.measureEndNanos(), () -> killFirst(kill));
        events.runUntil(scene.endNanos());
        for (Engine engine : engines) {
            tally.running += engine.running();
            tally.queued += engine.queued();
        }
        return tally;
    }

    private static RosterRecord rosterRecord(int number) {
        Replica replica = new Replica(
                "engine-" + number,
                number,
                "uid-1",
                "http://engine-" + number,
                null,
                List.of(MODEL),
                EngineKind.VLLM,
                null,
                PoolId.localFor(MODEL),
                null,
                null,
                0,
                Map.of());
        return new RosterRecord(
                new Header("collector-0", 1, number, Header.NO_EPOCH, 0),
                replica,
                false,
                number,
                RosterRecord.AGE_UNKNOWN);
    }

    private SimRouter boot(int index) {
        long incarnation = ++incarnations;
        Picker picker = policy.picker(engines, streams.of("router " + incarnation));
        var router = new SimRouter("router-" + index, incarnation, roster, picker);
        if (scene.kill() != null) router.leaveUnheard(1, scene.measureEndNanos() - WITNESS_NANOS, roster);
        events.every(phases.nextLong(Scene.VECTOR_PERIOD_NANOS), Scene.VECTOR_PERIOD_NANOS, () -> tick(router));
        return router;
    }

    /** What router-svc does each 100 ms. */
    private boolean tick(SimRouter router) {
        if (!router.alive()) return false;
        router.fadePeers(events.nowNanos());
        InflightVector vector = router.vector(events.nowNanos());
        for (SimRouter reader : routers) {
            vectorLink.send(() -> reader.receive(vector, events.nowNanos()));
        }
        return true;
    }

    private void scrapeInto(SimCollector collector) {
        events.every(phases.nextLong(Scene.FRAME_PERIOD_NANOS), Scene.FRAME_PERIOD_NANOS, () -> {
            for (TelemetryFrame frame : collector.sample(events.nowNanos())) {
                for (SimRouter reader : routers) frameLink.send(() -> reader.receive(frame, events.nowNanos()));
            }
            return true;
        });
    }

    private void nextArrival() {
        arrive();
        events.after((long) (arrivals.nextExponential() / scene.arrivalsPerNano()), this::nextArrival);
    }

    private void arrive() {
        boolean measured = events.nowNanos() >= scene.warmNanos() && events.nowNanos() < scene.measureEndNanos();
        long serviceNanos = scene.service().drawNanos(services);
        tally.arrived++;
        if (listening.isEmpty()) {
            tally.refused++;
            return;
        }
        SimRouter router = listening.get(splits.nextInt(listening.size()));
        ReplicaEntry entry = router.route(events.nowNanos());
        if (entry == null) {
            tally.refused++;
            return;
        }
        boolean waits = engines.get(entry.replica().number())
                .admit(new SimRequest(router, entry.replica().number(), entry.cell(), serviceNanos, events.nowNanos()));
        if (measured) tally.measured(waits);
    }

    private void completed(SimRequest request) {
        tally.completed++;
        request.cell.release();
        request.router.served(request.number, events.nowNanos() - request.sentNanos);
    }

    private boolean lookAtBalance() {
        if (events.nowNanos() >= scene.measureEndNanos()) return false;
        long sum = 0;
        int most = 0;
        for (Engine engine : engines) {
            sum += engine.inflight();
            most = Math.max(most, engine.inflight());
        }
        if (sum > 0) tally.balance((double) most * engines.size() / sum);
        return true;
    }

    private void killFirst(Scene.Kill kill) {
        SimRouter victim = routers.getFirst();
        victim.kill();
        listening.remove(victim);
        for (Engine engine : engines) tally.aborted += engine.abort(victim);
        events.every(0, DEAD_LOOK_NANOS, this::lookForDeadCounts);
        events.after(kill.restartAfterNanos(), () -> {
            SimRouter next = boot(0);
            routers.set(0, next);
            events.every(0, LOOK_NANOS, () -> {
                if (next.listening()) listening.add(next);
                return !next.listening();
            });
        });
    }

    private boolean lookForDeadCounts() {
        for (SimRouter router : routers) {
            if (router.alive() && router.deadMilli() > DEAD_MILLI) {
                tally.deadCountSeconds = (events.nowNanos() - scene.measureEndNanos()) / 1e9;
            }
        }
        return true;
    }
}
