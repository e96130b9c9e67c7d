package dev.penstock.health.probe;

import dev.penstock.core.health.FleetHealth;
import dev.penstock.core.health.ProbeResult;
import dev.penstock.core.health.ReplicaHealth;
import dev.penstock.health.HealthMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;

/**
 * Whose turn it is: whatever is due, within max(4, 1 % of the fleet) probes at a time; suspects and the ejected go first.
 * Lives on health-svc's context.
 */
public final class ProbeLoop {
    private static final int LEAST_AT_A_TIME = 4;
    private static final int FLEET_SHARE = 100;
    private static final long LEAST_LIMIT_NANOS = 2_000_000_000L;
    private static final int MEDIANS = 4;
    private static final long MOST_LIMIT_NANOS = 60_000_000_000L;

    private final FleetHealth fleet;
    private final EngineProbe engines;
    private final HealthMetrics metrics;
    private final LongSupplier nanoClock;
    private final Random random = new Random();
    private int underWay;
    private boolean closed;

    public ProbeLoop(FleetHealth fleet, EngineProbe engines, HealthMetrics metrics, LongSupplier nanoClock) {
        this.fleet = fleet;
        this.engines = engines;
        this.metrics = metrics;
        this.nanoClock = nanoClock;
    }

    /** Only whoever leads probes. */
    public void tick() {
        if (!fleet.leading() || closed) return;
        int room = Math.max(LEAST_AT_A_TIME, fleet.replicas().size() / FLEET_SHARE) - underWay;
        if (room <= 0) return;
        long now = nanoClock.getAsLong();
        List<ReplicaHealth> due = new ArrayList<>();
        for (ReplicaHealth health : fleet.replicas()) {
            if (health.probeDue(now)) due.add(health);
        }
        Collections.shuffle(due, random);
        due.sort((one, other) -> Boolean.compare(one.calm(now), other.calm(now)));
        for (ReplicaHealth health : due.subList(0, Math.min(room, due.size()))) start(health);
    }

    public void close() {
        closed = true;
    }

    private void start(ReplicaHealth health) {
        underWay++;
        health.probeStarted(nanoClock.getAsLong());
        long limit = Math.clamp(MEDIANS * fleet.medianTtftNanos(health), LEAST_LIMIT_NANOS, MOST_LIMIT_NANOS);
        engines.probe(health, Duration.ofNanos(limit)).onSuccess(result -> ended(health, result));
    }

    private void ended(ReplicaHealth health, ProbeResult result) {
        underWay--;
        metrics.probed(result);
        fleet.probed(health, result, nanoClock.getAsLong());
    }
}
