package dev.penstock.health.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.penstock.core.health.FleetHealth;
import dev.penstock.core.health.ProbeResult;
import dev.penstock.core.health.ReplicaHealth;
import dev.penstock.health.HealthMetrics;
import dev.penstock.health.publish.VerdictPublisher;
import dev.penstock.model.Verdict;
import java.util.Locale;
import java.util.function.LongSupplier;

/** {@code /debug/verdicts}. Written on health-svc's context, twice a second; any thread may read the last one. */
public final class VerdictsPage {
    private final FleetHealth fleet;
    private final VerdictPublisher publisher;
    private final LongSupplier nanoClock;
    private volatile JsonNode page =
            JsonNodeFactory.instance.objectNode().put("owner", false).putNull("epoch");

    public VerdictsPage(FleetHealth fleet, VerdictPublisher publisher, LongSupplier nanoClock) {
        this.fleet = fleet;
        this.publisher = publisher;
        this.nanoClock = nanoClock;
    }

    public JsonNode page() {
        return page;
    }

    public void refresh() {
        long now = nanoClock.getAsLong();
        ObjectNode next = JsonNodeFactory.instance.objectNode();
        next.put("owner", fleet.leading());
        if (fleet.leading()) next.put("epoch", publisher.epoch());
        else next.putNull("epoch");
        fleet.routers().forEach(next.putArray("routers")::add);
        ArrayNode replicas = next.putArray("replicas");
        for (ReplicaHealth health : fleet.replicas()) replica(replicas.addObject(), health, now);
        page = next;
    }

    private static void replica(ObjectNode node, ReplicaHealth health, long now) {
        Verdict verdict = health.verdict(now);
        node.put("name", health.replica().name());
        node.put("number", Integer.toUnsignedLong(health.replica().number()));
        node.put("state", HealthMetrics.label(verdict));
        node.put("cause", cause(verdict));
        node.put("ejections", health.ejections());
        node.put("remainingMs", verdict instanceof Verdict.Ejected e ? e.remainingMicros() / 1000 : 0);
        if (verdict instanceof Verdict.HalfOpen h) {
            node.put("permittedRouter", h.permittedRouter());
            node.put("successes", h.successes());
        }
        ProbeResult last = health.lastProbe();
        if (last == null) {
            node.putNull("lastProbe");
        } else {
            ObjectNode probe = node.putObject("lastProbe");
            probe.put("result", last.kind().name().toLowerCase(Locale.ROOT));
            probe.put("detail", last.detail());
            probe.put("ageMs", (now - health.lastProbeNanos()) / 1_000_000);
            probe.put("latencyMs", last.latencyNanos() / 1_000_000);
        }
        node.put("passesInRow", health.passesInRow());
        node.put("pooledSum", Math.round(health.pooledSum(now) * 100) / 100.0);
        health.quarantinedBy(now).forEach(node.putArray("quarantinedBy")::add);
        node.put("freshness", health.freshness(now).name());
    }

    private static String cause(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Suspect v -> v.cause();
            case Verdict.Ejected v -> v.cause();
            case Verdict.HalfOpen v -> v.cause();
            case Verdict.Unknown v -> "";
            case Verdict.Healthy v -> "";
            case Verdict.Ramp v -> "";
        };
    }
}
