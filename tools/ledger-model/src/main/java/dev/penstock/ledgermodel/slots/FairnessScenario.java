package dev.penstock.ledgermodel.slots;

import static dev.penstock.ledgermodel.slots.Scene.SECOND;

import dev.penstock.ledgermodel.LedgerSim;
import dev.penstock.ledgermodel.LedgerSims;
import dev.penstock.report.Estimate;
import dev.penstock.report.Report;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A router that comes second to a replica without a free slot gets its half of it, however few slots there are. */
public final class FairnessScenario implements LedgerSim {
    /** As long as a mean service: at this load somebody waits at both routers most of the time. */
    private static final long PATIENCE_NANOS = 2 * SECOND;

    private static final long JOIN_GAP_NANOS = 10 * SECOND;
    private static final long WARM_NANOS = 20 * SECOND;
    private static final double LOAD = 1.2;

    /** The fewest slots serve one request in 2 s, and shares of few requests differ by chance. */
    private static final long FULL_SECONDS = 20_000;

    private static final long SECONDS = 4_000;

    @Override
    public String name() {
        return "slot-fairness";
    }

    @Override
    public Report run(int seeds, boolean full, LedgerSims.Progress progress) {
        long endNanos = (full ? FULL_SECONDS : SECONDS) * SECOND;
        Column gap = Column.highest(seeds);
        Column refillGap = Column.highest(seeds);
        Column overshoot = Column.highest(seeds);
        for (int limit : new int[] {1, 2, 4}) {
            Scene scene = new Scene(2, 1, limit, LOAD, 0.5, endNanos, WARM_NANOS, endNanos);
            for (int i = 0; i < seeds; i++) {
                progress.running("L = " + limit, i + 1, seeds);
                List<Request> requests = scene.requests(i + 1);
                SlotFleet fleet = fleet(scene, Policy.ASK, i + 1);
                gap.add(i, fleet.serve(requests).shareGapPct());
                overshoot.add(i, fleet.overshoot());
                refillGap.add(
                        i, fleet(scene, Policy.STAY, i + 1).serve(requests).shareGapPct());
            }
        }
        return report(seeds, full, gap.estimate(), refillGap.estimate(), overshoot.estimate());
    }

    private static SlotFleet fleet(Scene scene, Policy policy, int seed) {
        return new SlotFleet(scene, policy, PATIENCE_NANOS, JOIN_GAP_NANOS, new SplittableRandom(seed));
    }

    private Report report(int seeds, boolean full, Estimate gap, Estimate refillGap, Estimate overshoot) {
        Map<String, Estimate> figures = new LinkedHashMap<>();
        figures.put("share_gap_pct", gap);
        figures.put("overshoot", overshoot);
        List<Report.Bar> bars = List.of(
                Report.Bar.of("share_gap_pct", "<=", 10, gap.mean())
                        .beside("refill_on_release", refillGap.mean(), refillGap.mean() > 10),
                Report.Bar.of("overshoot", "==", 0, overshoot.mean()));
        return new Report(
                name(),
                "1 replica of 1, 2 and 4 slots, 2 routers of which one comes 10 s later, equal load, 1.2 in sum; mean"
                        + " service 2 s",
                seeds,
                bars.stream().allMatch(Report.Bar::holds),
                figures,
                Map.of("refill_on_release", Map.of("share_gap_pct", refillGap)),
                bars,
                command(seeds, full));
    }
}
