package dev.penstock.router.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.penstock.core.quarantine.Quarantine;
import dev.penstock.core.view.FleetView;
import dev.penstock.core.view.HotRow;
import dev.penstock.core.view.ReplicaCell;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import dev.penstock.model.Verdict;
import java.util.Locale;
import java.util.function.LongSupplier;

/** {@code /debug/view}: what this router knows of each replica, and how old that is. */
public final class ViewPage {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final FleetView view;
    private final String router;
    private final LongSupplier nanoClock;

    public ViewPage(FleetView view, String router, LongSupplier nanoClock) {
        this.view = view;
        this.router = router;
        this.nanoClock = nanoClock;
    }

    public JsonNode render() {
        long now = nanoClock.getAsLong();
        RosterImage image = view.current();
        ObjectNode page = JSON.createObjectNode();
        page.put("router", router).put("rosterVersion", image.version());
        page.put("viewAgeMs", view.ageNanos(now) < 0 ? -1 : view.ageNanos(now) / 1_000_000);
        var replicas = page.putArray("replicas");
        for (ReplicaEntry entry : image.entries()) replicas.add(replica(image, entry, now));
        return page;
    }

    private static ObjectNode replica(RosterImage image, ReplicaEntry entry, long now) {
        ReplicaCell cell = entry.cell();
        ReplicaCell.Telemetry telemetry = cell.telemetry();
        ObjectNode node = JSON.createObjectNode();
        node.put("name", entry.replica().name()).put("number", entry.replica().number());
        node.put("endpoint", entry.replica().endpoint());
        node.put("engine", entry.replica().engine().name().toLowerCase(Locale.ROOT));
        node.put("pool", entry.replica().pool().toString());
        var models = node.putArray("models");
        entry.replica().models().forEach(models::add);
        node.put("freshness", telemetry.freshness(now).name());
        if (telemetry.seen()) {
            node.put("ageMs", (now - telemetry.sampledAtNanos()) / 1_000_000);
            node.put("intervalMs", telemetry.intervalNanos() / 1_000_000);
            node.put("running", telemetry.running()).put("waiting", telemetry.waiting());
            if (telemetry.kvUsedPpm() >= 0) node.put("kvUsed", telemetry.kvUsedPpm() / 1e6);
        }
        node.put("candidate", cell.candidate());
        node.put("own", cell.own()).put("peers", cell.peersMilli() / 1000.0);
        node.put("bias", cell.biasMilli() / 1000.0).put("slowStart", cell.starting());
        double capacity = image.relativeCapacity(entry);
        if (capacity == 0) node.putNull("capacity");
        else node.put("capacity", capacity);
        node.put("weight", cell.weight() / (double) HotRow.EVEN_WEIGHT);
        node.put("quarantine", quarantine(cell.quarantine()));
        node.put("verdict", verdict(cell.health().at(now)));
        return node;
    }

    private static String verdict(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Unknown u -> "UNKNOWN";
            case Verdict.Healthy h -> "HEALTHY";
            case Verdict.Suspect s -> "SUSPECT (" + s.cause() + ")";
            case Verdict.Ejected e ->
                "EJECTED " + e.severity().name().toLowerCase(Locale.ROOT) + " (" + e.cause() + ")";
            case Verdict.HalfOpen h -> "HALF_OPEN " + h.successes();
            case Verdict.Ramp r -> "RAMP";
        };
    }

    private static String quarantine(Quarantine state) {
        return switch (state) {
            case Quarantine.Clear clear -> "none";
            case Quarantine.Shut shut -> "shut";
            case Quarantine.Trial trial -> "trial";
        };
    }
}
