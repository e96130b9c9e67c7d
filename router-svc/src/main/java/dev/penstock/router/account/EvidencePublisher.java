package dev.penstock.router.account;

import dev.penstock.core.quarantine.Quarantine;
import dev.penstock.core.view.FleetView;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.model.DurationSketch;
import dev.penstock.model.Outcomes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * What health-svc wants to know between the ends of requests: which replicas this router quarantines, and from which bytes
 * come. Lives on the view's context.
 */
public final class EvidencePublisher {
    private static final DurationSketch NOTHING = new DurationSketch();

    private final FleetView view;
    private final OutcomesPublisher outcomes;
    private final LongSupplier nanoClock;
    private long lastNanos;

    public EvidencePublisher(FleetView view, OutcomesPublisher outcomes, LongSupplier nanoClock) {
        this.view = view;
        this.outcomes = outcomes;
        this.nanoClock = nanoClock;
        this.lastNanos = nanoClock.getAsLong();
    }

    /** Called each 250 ms. */
    public void publish() {
        List<Outcomes.ReplicaOutcomes> told = new ArrayList<>();
        for (ReplicaEntry entry : view.current().entries()) {
            boolean quarantined = !(entry.cell().quarantine() instanceof Quarantine.Clear);
            boolean flowing = entry.cell().streams().heardSince(lastNanos);
            if (!quarantined && !flowing) continue;
            told.add(new Outcomes.ReplicaOutcomes(
                    entry.replica().number(), Map.of(), 0, NOTHING, NOTHING, 0, quarantined, flowing));
        }
        lastNanos = nanoClock.getAsLong();
        outcomes.publish(told);
    }
}
