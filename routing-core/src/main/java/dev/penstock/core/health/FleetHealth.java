package dev.penstock.core.health;

import dev.penstock.core.feed.FrameGate;
import dev.penstock.core.quarantine.FailureOdds;
import dev.penstock.model.Header;
import dev.penstock.model.HealthRecord;
import dev.penstock.model.Outcomes;
import dev.penstock.model.PoolId;
import dev.penstock.model.Replica;
import dev.penstock.model.Sample;
import dev.penstock.model.Shards;
import dev.penstock.model.TelemetryFrame;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The health of all replicas. Every instance of health-svc keeps the evidence; one of them leads: it judges, the others
 * follow what it publishes, so that whoever leads next goes on from there. One writer.
 */
public final class FleetHealth {
    private static final Header NOBODY = new Header("", 0, 0, Header.NO_EPOCH, 0);
    private static final long FOLD_NANOS = HealthRules.seconds(1);
    private static final long FRAMES_RECENT_NANOS = HealthRules.seconds(2);
    private static final long ROUTER_HEARD_NANOS = HealthRules.seconds(10);
    private static final long STREAM_FORGOTTEN_NANOS = HealthRules.seconds(60);

    private final HealthRules rules;
    private final RandomGenerator random;
    private final Consumer<Transition> listener;
    private final Map<String, ReplicaHealth> nameToHealth = new LinkedHashMap<>();
    private final Map<Integer, ReplicaHealth> numberToHealth = new HashMap<>();
    private final Map<PoolId, Pool> pools = new HashMap<>();
    private final Map<Integer, Told> told = new HashMap<>();
    private final Map<String, FrameGate> streams = new HashMap<>();
    private final Map<String, Long> routerToHeardNanos = new HashMap<>();
    private List<String> members = List.of();
    private List<String> routers = List.of();
    private boolean leading;
    private boolean framed;
    private long frameNanos;
    private long foldedNanos;

    private record Told(HealthRecord record, long atNanos) {}

    public FleetHealth(HealthRules rules, RandomGenerator random, Consumer<Transition> listener, long nowNanos) {
        this.rules = rules;
        this.random = random;
        this.listener = listener;
        this.foldedNanos = nowNanos;
    }

    public Collection<ReplicaHealth> replicas() {
        return Collections.unmodifiableCollection(nameToHealth.values());
    }

    public @Nullable ReplicaHealth byNumber(int number) {
        return numberToHealth.get(number);
    }

    public boolean leading() {
        return leading;
    }

    /** From here on this instance judges. */
    public void lead() {
        leading = true;
    }

    public void follow() {
        leading = false;
    }

    /** A replica of the roster. Another incarnation starts UNKNOWN. */
    public void present(Replica replica, long nowNanos) {
        ReplicaHealth known = nameToHealth.get(replica.name());
        if (known != null && known.replica().equals(replica)) return;
        if (known != null) forget(known);
        ReplicaHealth health = new ReplicaHealth(replica, rules, random, listener, nowNanos);
        boolean same = known != null && sameIncarnation(known.replica(), replica);
        if (same && known != null) health.restore(known.record(NOBODY, 0, nowNanos), nowNanos);
        nameToHealth.put(replica.name(), health);
        numberToHealth.put(replica.number(), health);
        pools.computeIfAbsent(replica.pool(), pool -> new Pool(nowNanos))
                .members
                .add(health);
        Told last = told.get(replica.number());
        if (!same && last != null) restore(health, last);
    }

    private static boolean sameIncarnation(Replica one, Replica other) {
        return one.number() == other.number() && one.uid().equals(other.uid());
    }

    public void gone(String name) {
        ReplicaHealth known = nameToHealth.remove(name);
        if (known != null) forget(known);
    }

    private void forget(ReplicaHealth health) {
        numberToHealth.remove(health.replica().number(), health);
        Pool pool = pools.get(health.replica().pool());
        if (pool == null) return;
        pool.members.remove(health);
        if (pool.members.isEmpty()) pools.remove(health.replica().pool());
    }

    /** A verdict as published by whoever leads; null where it was taken back. */
    public void told(int number, @Nullable HealthRecord record, long nowNanos) {
        if (record == null) {
            told.remove(number);
            return;
        }
        Told last = new Told(record, nowNanos);
        told.put(number, last);
        ReplicaHealth health = numberToHealth.get(number);
        if (!leading && health != null) restore(health, last);
    }

    private static void restore(ReplicaHealth health, Told last) {
        if (last.record().uid().equals(health.replica().uid())) health.restore(last.record(), last.atNanos());
    }

    /** Numbers that have a published verdict and are in no roster. */
    public List<Integer> orphans() {
        return told.keySet().stream()
                .filter(number -> !numberToHealth.containsKey(number))
                .toList();
    }

    /** Names of the live routers, as membership has them. */
    public void routers(Collection<String> names) {
        members = new TreeSet<>(names).stream().toList();
    }

    public List<String> routers() {
        return routers;
    }

    public void outcomes(Outcomes outcomes, long nowNanos) {
        String router = outcomes.header().producer();
        FrameGate gate = streams.computeIfAbsent("outcomes of " + router, stream -> new FrameGate());
        if (gate.admit(outcomes.header(), true, nowNanos) == FrameGate.Admission.DROPPED) return;
        routerToHeardNanos.put(router, nowNanos);
        liveRouters(nowNanos);
        for (Outcomes.ReplicaOutcomes seen : outcomes.replicas()) {
            ReplicaHealth health = numberToHealth.get(seen.number());
            if (health == null) continue;
            Pool pool = pool(health);
            pool.ttft.add(seen.ttft());
            long incarnation = outcomes.header().incarnation();
            if (leading) health.outcomes(router, incarnation, seen, view(pool, nowNanos), nowNanos);
            else health.observe(router, incarnation, seen, pool.odds, nowNanos);
        }
    }

    public void telemetry(TelemetryFrame frame, long receiveNanos) {
        FrameGate gate =
                streams.computeIfAbsent(frame.header().producer() + "/" + frame.shard(), stream -> new FrameGate());
        FrameGate.Admission admission = gate.admit(frame.header(), frame.full(), receiveNanos);
        if (admission == FrameGate.Admission.DROPPED) return;
        long sentAt = receiveNanos - gate.excessNanos();
        if (!framed || sentAt - frameNanos > 0) frameNanos = sentAt;
        framed = true;
        boolean trusted = admission != FrameGate.Admission.FIRST;
        for (Sample sample : frame.samples()) {
            ReplicaHealth health = numberToHealth.get(sample.number());
            if (health == null) continue;
            health.evidence()
                    .telemetry()
                    .sample(
                            sample.heartbeat(),
                            sample.flags(),
                            frame.header().incarnation(),
                            sentAt - sample.ageMicros() * 1000,
                            sample.intervalMillis() * 1_000_000L,
                            trusted,
                            receiveNanos);
        }
        if (admission == FrameGate.Admission.IN_ORDER) renewUnchanged(frame, sentAt);
    }

    private void renewUnchanged(TelemetryFrame frame, long sentAtNanos) {
        frame.sampledUnchanged().stream().forEach(position -> {
            ReplicaHealth health = numberToHealth.get(Shards.number(frame.shard(), position));
            if (health == null) return;
            health.evidence()
                    .telemetry()
                    .renew(frame.header().incarnation(), sentAtNanos - frame.unchangedAgeMicros() * 1000);
        });
    }

    /** The end of a probe; whoever no longer leads draws no conclusion. */
    public void probed(ReplicaHealth health, ProbeResult result, long nowNanos) {
        if (leading && numberToHealth.get(health.replica().number()) == health) {
            health.probed(result, view(pool(health), nowNanos), nowNanos);
        }
        health.probeEnded(nowNanos);
    }

    /** To be called several times a second. */
    public void tick(long nowNanos) {
        liveRouters(nowNanos);
        if (nowNanos - foldedNanos >= FOLD_NANOS) fold(nowNanos);
        if (!leading) return;
        for (Pool pool : pools.values()) {
            PoolView view = view(pool, nowNanos);
            for (ReplicaHealth health : pool.members) health.judge(view, nowNanos);
        }
    }

    /** Median time to first token of the replica's pool; 0 while nothing is known. */
    public long medianTtftNanos(ReplicaHealth health) {
        return pool(health).medianTtftNanos;
    }

    private void fold(long nowNanos) {
        foldedNanos = nowNanos;
        streams.values().removeIf(gate -> nowNanos - gate.lastReceiveNanos() > STREAM_FORGOTTEN_NANOS);
        pools.values().forEach(pool -> pool.fold(nowNanos));
    }

    /** Members; while nobody could tell who is one, whoever tells of requests. */
    private void liveRouters(long nowNanos) {
        routerToHeardNanos.values().removeIf(heard -> nowNanos - heard > ROUTER_HEARD_NANOS);
        if (!members.isEmpty()) routers = members;
        else routers = new TreeSet<>(routerToHeardNanos.keySet()).stream().toList();
    }

    private Pool pool(ReplicaHealth health) {
        Pool pool = pools.get(health.replica().pool());
        if (pool == null)
            throw new IllegalStateException("no pool " + health.replica().pool());
        return pool;
    }

    private PoolView view(Pool pool, long nowNanos) {
        boolean flows = framed && nowNanos - frameNanos <= FRAMES_RECENT_NANOS;
        return new PoolView() {
            @Override
            public List<String> routers() {
                return routers;
            }

            @Override
            public FailureOdds odds() {
                return pool.odds;
            }

            @Override
            public boolean softRoom() {
                int size = pool.members.size();
                return size > 1 && pool.routable(nowNanos) - 1 >= rules.panicBelow() * size;
            }

            @Override
            public boolean panic() {
                return pool.routable(nowNanos) < rules.panicBelow() * pool.members.size();
            }

            @Override
            public boolean telemetryFlows() {
                return flows;
            }
        };
    }

    /** The replicas of one pool and what they have in common. */
    private static final class Pool {
        final List<ReplicaHealth> members = new ArrayList<>();
        final RecentTtft ttft;
        FailureOdds odds = FailureOdds.QUIET;
        long medianTtftNanos;

        Pool(long nowNanos) {
            ttft = new RecentTtft(nowNanos);
        }

        int routable(long nowNanos) {
            int routable = 0;
            for (ReplicaHealth health : members) {
                if (health.routable(nowNanos)) routable++;
            }
            return routable;
        }

        /** Of two middle rates the lower one: one sick replica of two must not set the base. */
        void fold(long nowNanos) {
            List<Double> rates = new ArrayList<>();
            for (ReplicaHealth health : members) {
                health.evidence().fold(nowNanos);
                if (health.evidence().rateKnown()) rates.add(health.evidence().failureRate());
            }
            Collections.sort(rates);
            odds = rates.isEmpty() ? FailureOdds.QUIET : FailureOdds.ofMedian(rates.get((rates.size() - 1) / 2));
            ttft.turn(nowNanos);
            medianTtftNanos = ttft.medianNanos();
        }
    }
}
