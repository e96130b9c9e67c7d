package dev.penstock.fleetsim;

import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.model.InflightVector;
import dev.penstock.model.RosterRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** One run: a scene under a policy and a seed. A request takes no time between client, router and engine. */
final class Fleet {
    private static final long LISTEN_LOOK_NANOS = 100_000_000L;
    /** More than a period of full vectors and their way. */
    private static final long WITNESS_NANOS = 2_000_000_000L;
    /** Every router has had its second frame by then: before that nobody is a candidate. */
    private static final long FIRST_FRAMES_NANOS = 3 * Scene.FRAME_PERIOD_NANOS;

    /** Of one block that is read back: 200,000 a second. */
    private static final long READ_NANOS = 5_000;

    private static final long KILLED_INCARNATION = 1;

    private final Scene scene;
    private final Policy policy;
    private final Streams streams;
    private final EventQueue events = new EventQueue();
    private final Network network;
    private final Replicas replicas = new Replicas();
    private final List<SimRouter> routers = new ArrayList<>();
    private final List<SimRouter> listening = new ArrayList<>();
    private final Telemetry telemetry;
    private final EngineFaults faults;
    private final Arrivals arrivals;
    private final SplittableRandom splits;
    private final SplittableRandom phases;
    private final Tally tally = new Tally();
    private final PrefixTopic prefixTopic = new PrefixTopic();
    private final PrefixWatch prefixWatch = new PrefixWatch(events, routers, tally);
    private long incarnations;

    Fleet(Scene scene, Policy policy, long seed) {
        this.scene = scene;
        this.policy = policy;
        this.streams = new Streams(seed);
        this.network = new Network(events, scene.network(), streams);
        this.splits = streams.of("splits");
        this.phases = streams.of("phases");
        this.telemetry = new Telemetry(events, network, replicas, routers, affected());
        this.faults = new EngineFaults(scene, events, streams, replicas, tally);
        this.arrivals = new Arrivals(events, scene.workload().open(streams), this::arrive);
    }

    private boolean[] affected() {
        TelemetryFault fault = scene.fault();
        return fault == null ? new boolean[0] : fault.affected(scene.replicas(), streams.of("faults"));
    }

    /** To be called once. */
    Tally run() {
        for (int number = 0; number < scene.replicas(); number++) addReplica(ColdStart.NONE, Long.MIN_VALUE / 2);
        for (int i = 0; i < scene.routers(); i++) {
            SimRouter router = boot(i);
            routers.add(router);
            listening.add(router);
        }
        telemetry.start(phases, scene.fault());
        arrivals.startAfter(scene.network().frames().delayNanos() + FIRST_FRAMES_NANOS);
        watch();
        events.runUntil(scene.span().endNanos());
        for (Engine engine : replicas.engines()) {
            tally.running += engine.running();
            tally.queued += engine.queued();
        }
        tally.ttft.seal();
        tally.latency.seal();
        return tally;
    }

    private void watch() {
        BalanceWatch.start(events, scene.span(), replicas, tally);
        if (scene.engines() instanceof EngineModel.TwoSpeeds speeds) {
            new SpeedsWatch(events, scene.span(), speeds, replicas, telemetry, tally).start();
        }
        Scene.Kill kill = scene.kill();
        if (kill != null) events.at(scene.span().measureEndNanos(), () -> killFirst(kill));
        Scene.Joining joining = scene.joining();
        if (joining != null) {
            events.at(joining.atNanos(), () -> join(joining));
            new Newcomers(events, scene.span(), joining, replicas, scene.replicas(), tally).start();
        }
        Scene.Prefixes prefixes = scene.prefixes();
        if (prefixes != null) events.at(prefixes.killAtNanos(), () -> restartFirst(prefixes));
        TelemetryFault fault = scene.fault();
        if (fault != null) {
            int affected = 0;
            for (int number = 0; number < scene.replicas(); number++) if (telemetry.affects(number)) affected++;
            tally.affectedShare((double) affected / scene.replicas());
        }
    }

    private void addReplica(ColdStart cold, long bornNanos) {
        EngineModel model = scene.engines().of(replicas.size());
        replicas.add(faults.engine(model, replicas.size(), cold, this::completed, this::failed), bornNanos);
    }

    private void join(Scene.Joining joining) {
        long now = events.nowNanos();
        for (int i = 0; i < joining.replicas(); i++) {
            addReplica(new ColdStart(now, joining.coldFactor(), joining.coldNanos()), now);
            RosterRecord record = replicas.rosterRecord(replicas.size() - 1, now);
            for (SimRouter router : routers) router.receive(record, now);
        }
    }

    private SimRouter boot(int index) {
        long incarnation = ++incarnations;
        var peers = new RawPeers();
        Picker picker = policy.picker(new Picker.Knowledge(replicas, peers, streams.of("router " + incarnation)));
        List<RosterRecord> roster = replicas.roster(events.nowNanos());
        var router = new SimRouter(
                "router-" + index, incarnation, roster, picker, peers, policy.hearing(), events.nowNanos());
        if (scene.kill() != null) {
            long fromNanos = scene.span().measureEndNanos() - WITNESS_NANOS;
            router.leaveUnheard(KILLED_INCARNATION, fromNanos, roster);
        }
        if (scene.prefixes() != null && policy.looksAtPrompts()) router.look(new RouterPrefixes(scene.prefixes()));
        events.every(phases.nextLong(Scene.VECTOR_PERIOD_NANOS), Scene.VECTOR_PERIOD_NANOS, () -> tick(router));
        return router;
    }

    /** What router-svc does each 100 ms. */
    private boolean tick(SimRouter router) {
        if (!router.alive()) return false;
        faults.look(router);
        tellPrefixes(router);
        if (policy.hearing() == Policy.Hearing.NOTHING) return true;
        router.refresh(events.nowNanos());
        InflightVector vector = router.vector(events.nowNanos());
        for (SimRouter reader : routers) {
            network.vectors(router.name(), reader.name()).send(() -> reader.receive(vector, events.nowNanos()));
        }
        return true;
    }

    private void tellPrefixes(SimRouter router) {
        RouterPrefixes prefixes = router.prefixes();
        if (prefixes == null) return;
        PrefixNews news = prefixes.takeNews();
        if (news.size() == 0) return;
        prefixTopic.append(events.nowNanos(), news);
        for (SimRouter reader : routers) {
            if (reader == router) continue;
            network.vectors(router.name(), reader.name()).send(() -> reader.receive(news, events.nowNanos()));
        }
    }

    private void arrive(Demand demand) {
        boolean measured = scene.span().measuredAt(events.nowNanos());
        tally.arrived++;
        if (listening.isEmpty()) {
            tally.refused++;
            return;
        }
        SimRouter router = listening.get(splits.nextInt(listening.size()));
        prefixWatch.asked(router, demand);
        ReplicaEntry entry = router.route(demand, events.nowNanos());
        while (entry != null && !faults.connects(router, entry)) {
            entry = router.routeElsewhere(entry, events.nowNanos());
        }
        if (entry == null) {
            tally.refused++;
            return;
        }
        int number = entry.replica().number();
        var request = new SimRequest(router, number, entry.cell(), demand, events.nowNanos(), measured);
        faults.sent(request);
        boolean waits = replicas.engine(number).admit(request);
        if (number >= scene.replicas())
            tally.queuedAtNew(replicas.engine(number).queued());
        if (!measured) return;
        tally.sentTo(number);
        tally.sent(waits);
        if (telemetry.affects(number)) tally.sentToAffected();
    }

    private void completed(SimRequest request) {
        tally.ended(request, events.nowNanos());
        request.cell.release();
        request.router.served(
                request.number, events.nowNanos() - request.sentNanos, request.firstTokenNanos - request.sentNanos);
        faults.succeeded(request);
        stopIfAllEnded();
    }

    private void failed(SimRequest request) {
        tally.failed++;
        request.cell.release();
        faults.failed(request);
        stopIfAllEnded();
    }

    private void stopIfAllEnded() {
        if (arrivals.over() && tally.ended() == tally.arrived) events.stop();
    }

    private void killFirst(Scene.Kill kill) {
        endFirst();
        RouterDeath.watch(events, routers, tally);
        events.after(kill.restartAfterNanos(), () -> bootFirst(next -> {}));
    }

    private void endFirst() {
        SimRouter victim = routers.getFirst();
        victim.kill();
        listening.remove(victim);
        for (Engine engine : replicas.engines()) tally.aborted += engine.abort(victim);
    }

    private SimRouter bootFirst(Consumer<SimRouter> listens) {
        SimRouter next = boot(0);
        routers.set(0, next);
        events.every(0, LISTEN_LOOK_NANOS, () -> {
            if (!next.listening()) return true;
            listening.add(next);
            listens.accept(next);
            return false;
        });
        return next;
    }

    /** The new one reads what was published within the TTL, as fast as routers read. */
    private void restartFirst(Scene.Prefixes prefixes) {
        endFirst();
        events.after(prefixes.restartAfterNanos(), () -> {
            SimRouter next = bootFirst(prefixWatch::listens);
            if (policy == Policy.COLD_RESTART) return;
            long delayNanos = scene.network().vectors().delayNanos();
            for (PrefixTopic.Record each : prefixTopic.since(events.nowNanos() - prefixes.ttlNanos())) {
                delayNanos += each.news().size() * READ_NANOS;
                long atNanos = each.atNanos();
                events.after(delayNanos, () -> next.receive(each.news(), atNanos));
            }
        });
    }
}
