package dev.penstock.fleetsim;

import dev.penstock.core.session.SessionKey;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.model.Header;
import dev.penstock.model.HealthRecord;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * One run of sessions: each turn enters a router at random, the next comes a think time after it has ended. Replicas come, go
 * and are ejected for a while; each router hears of that at a time of its own.
 */
final class SessionFleet {
    private static final long LOOK_NANOS = 100_000_000L;
    private static final long VERDICT_PERIOD_NANOS = 1_000_000_000L;
    private static final long VERDICT_VALID_MICROS = 5_000_000L;
    private static final long HEARSAY_NANOS = 50_000_000L;
    private static final long FIRST_FRAMES_NANOS = 3 * Scene.FRAME_PERIOD_NANOS;
    /** A move that follows a lost owner's within that time is taken to be of the same loss. */
    private static final long SAME_LOSS_NANOS = 30_000_000_000L;

    private final Scene scene;
    private final Workload.Sessions workload;
    private final EventQueue events = new EventQueue();
    private final Network network;
    private final Replicas replicas = new Replicas();
    private final List<SimRouter> routers = new ArrayList<>();
    private final List<LongConsumer> sessionSetters = new ArrayList<>();
    private final Set<Integer> gone = new HashSet<>();
    private final Set<Integer> ejected = new HashSet<>();
    private final Map<SimRequest, Session> requestToSession = new IdentityHashMap<>();
    private final SplittableRandom splits;
    private final SplittableRandom turns;
    private final SplittableRandom hearsay;
    private final SplittableRandom phases;
    private final Telemetry telemetry;
    private final Tally tally = new Tally();
    private final Policy.Hearing hearing;
    private long records;

    private static final class Session {
        private static final int NOBODY = -1;

        final long key;
        int turnsLeft;
        int owner = NOBODY;
        int movesForLoss;
        long lostNanos;

        Session(long key, int turns) {
            this.key = key;
            this.turnsLeft = turns;
        }
    }

    SessionFleet(Scene scene, Workload.Sessions workload, Policy policy, long seed) {
        this.scene = scene;
        this.workload = workload;
        this.hearing = policy.hearing();
        var streams = new Streams(seed);
        this.network = new Network(events, scene.network(), streams);
        this.splits = streams.of("splits");
        this.turns = streams.of("turns");
        this.hearsay = streams.of("hearsay");
        this.phases = streams.of("phases");
        this.telemetry = new Telemetry(events, network, replicas, routers, new boolean[0]);
        for (int number = 0; number < scene.replicas(); number++) addReplica(Long.MIN_VALUE / 2);
        var pins = new SimPins(events, streams.of("pins"));
        for (int i = 0; i < scene.routers(); i++) boot(i, policy, pins, streams.of("router " + i));
    }

    /** To be called once. */
    Tally run() {
        telemetry.start(phases, null);
        events.after(scene.network().frames().delayNanos() + FIRST_FRAMES_NANOS, this::begin);
        events.every(scene.span().warmNanos(), LOOK_NANOS, this::look);
        Workload.Resize resize = workload.resize();
        events.at(resize.growNanos(), () -> grow(resize.replicas()));
        events.at(resize.shrinkNanos(), () -> shrink(resize.replicas()));
        for (Workload.Ejection each : workload.ejections()) {
            events.at(each.fromNanos(), () -> eject(each));
        }
        events.runUntil(scene.span().endNanos());
        return tally;
    }

    private void boot(int index, Policy policy, SimPins pins, SplittableRandom random) {
        Picker picker;
        if (policy == Policy.PENSTOCK) {
            var sessions = new SessionPicker(pins, events, random);
            sessionSetters.add(sessions);
            picker = sessions;
        } else {
            var hash = new ConsistentHash();
            sessionSetters.add(hash);
            picker = hash;
        }
        var router = new SimRouter(
                "router-" + index, index + 1, replicas.roster(0), picker, new RawPeers(), policy.hearing(), 0);
        routers.add(router);
        events.every(phases.nextLong(Scene.VECTOR_PERIOD_NANOS), Scene.VECTOR_PERIOD_NANOS, () -> tick(router));
    }

    private boolean tick(SimRouter router) {
        if (hearing == Policy.Hearing.NOTHING) return true;
        router.refresh(events.nowNanos());
        var vector = router.vector(events.nowNanos());
        for (SimRouter reader : routers) {
            network.vectors(router.name(), reader.name()).send(() -> reader.receive(vector, events.nowNanos()));
        }
        return true;
    }

    /** A session, and after it the next. */
    private void begin() {
        turn(new Session(SessionKey.of(Replicas.MODEL, Long.toString(records++)), workload.turns()));
        events.after((long) (turns.nextExponential() / workload.perNano()), this::begin);
    }

    private void turn(Session session) {
        long now = events.nowNanos();
        boolean measured = scene.span().measuredAt(now);
        int index = splits.nextInt(routers.size());
        SimRouter router = routers.get(index);
        sessionSetters.get(index).accept(session.key);
        tally.arrived++;
        ReplicaEntry entry = router.route(now);
        if (entry == null) {
            tally.refused++;
            return;
        }
        int number = entry.replica().number();
        if (measured) judge(session, number, now);
        session.owner = number;
        session.turnsLeft--;
        var request = new SimRequest(
                router, number, entry.cell(), Demand.ofTime(workload.turn().drawNanos(turns)), now, measured);
        requestToSession.put(request, session);
        boolean waits = replicas.engine(number).admit(request);
        if (measured) tally.sent(waits);
    }

    private void judge(Session session, int number, long now) {
        SessionTally sessions = tally.sessions;
        if (session.owner == Session.NOBODY) return;
        sessions.turns++;
        if (session.owner == number) return;
        boolean sameLoss = session.movesForLoss > 0 && now - session.lostNanos < SAME_LOSS_NANOS;
        if (lost(session.owner)) {
            sessions.lostOwner++;
            session.movesForLoss = 1;
            session.lostNanos = now;
        } else if (overBound(session.owner)) {
            sessions.overloadedOwner++;
            session.movesForLoss = 0;
        } else {
            sessions.needless++;
            if (sameLoss) session.movesForLoss++;
        }
        sessions.mostMovesPerLoss = Math.max(sessions.mostMovesPerLoss, session.movesForLoss);
    }

    private boolean lost(int number) {
        return gone.contains(number) || ejected.contains(number);
    }

    /** What replicas differ by in a fleet without sessions is no reason to leave one. */
    private boolean overBound(int number) {
        return replicas.engine(number).inflight() > workload.boundOverMean() * meanInflight();
    }

    private double meanInflight() {
        long sum = 0;
        int count = 0;
        for (int number = 0; number < replicas.size(); number++) {
            if (lost(number)) continue;
            sum += replicas.engine(number).inflight();
            count++;
        }
        return (double) sum / count;
    }

    private void completed(SimRequest request) {
        tally.ended(request, events.nowNanos());
        request.cell.release();
        long latency = events.nowNanos() - request.sentNanos;
        request.router.served(request.number, latency, request.firstTokenNanos - request.sentNanos);
        Session session = requestToSession.remove(request);
        if (session == null || session.turnsLeft == 0) return;
        events.after(workload.think().drawNanos(turns), () -> turn(session));
    }

    private boolean look() {
        int most = 0;
        for (int number = 0; number < replicas.size(); number++) {
            if (!lost(number)) most = Math.max(most, replicas.engine(number).inflight());
        }
        double mean = meanInflight();
        if (mean > 0) tally.balance(most / mean);
        return scene.span().measuredAt(events.nowNanos());
    }

    private void addReplica(long bornNanos) {
        replicas.add(scene.engines().create(events, ColdStart.NONE, this::completed), bornNanos);
    }

    private void grow(int count) {
        for (int i = 0; i < count; i++) {
            addReplica(events.nowNanos());
            RosterRecord record = replicas.rosterRecord(replicas.size() - 1, events.nowNanos());
            hear(router -> router.receive(record, events.nowNanos()));
        }
    }

    /** The oldest go that are not ejected, without a warning. */
    private void shrink(int count) {
        for (int number = 0, left = count; left > 0; number++) {
            if (lost(number)) continue;
            left--;
            gone.add(number);
            RosterRecord present = replicas.rosterRecord(number, events.nowNanos());
            var header = new Header("collector-0", 1, ++records, Header.NO_EPOCH, 0);
            var record =
                    new RosterRecord(header, present.replica(), true, replicas.size() - 1, RosterRecord.AGE_UNKNOWN);
            hear(router -> router.receive(record, events.nowNanos()));
        }
    }

    /** Counted from the newest of the beginning: those that {@link #shrink} takes are the oldest. */
    private void eject(Workload.Ejection ejection) {
        int number = scene.replicas() - 1 - ejection.nth();
        ejected.add(number);
        events.every(0, VERDICT_PERIOD_NANOS, () -> {
            long now = events.nowNanos();
            boolean over = now >= ejection.untilNanos();
            if (over) ejected.remove(number);
            Verdict verdict = over
                    ? new Verdict.Healthy()
                    : new Verdict.Ejected(
                            Verdict.Severity.HARD, "refused", 1, (ejection.untilNanos() - now) / 1_000 + 2_000_000);
            tell(number, verdict);
            return !over;
        });
    }

    private void tell(int number, Verdict verdict) {
        var header = new Header("health-0", 1, ++records, 1, 0);
        var record = new HealthRecord(
                header,
                number,
                replicas.rosterRecord(number, events.nowNanos()).replica().uid(),
                verdict,
                VERDICT_VALID_MICROS,
                HealthRecord.NO_PASS,
                0);
        hear(router -> router.view().apply(record, events.nowNanos()));
    }

    private void hear(Consumer<SimRouter> news) {
        for (SimRouter router : routers) events.after(hearsay.nextLong(HEARSAY_NANOS), () -> news.accept(router));
    }
}
