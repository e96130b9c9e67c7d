package dev.penstock.ledgermodel;

import dev.penstock.core.ledger.Rules;
import dev.penstock.report.Estimate;
import dev.penstock.report.Report;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Random schedules of everything that can go wrong: no request above a limit, and no slot lost once all is healed. */
final class LedgerScenario implements LedgerSim {
    private static final Bounds BOUNDS = new Bounds(3, 3, 3, 4, 2, 3, 3, true, true, true, true);
    private static final long FULL_STEPS = 10_000_000;
    private static final long STEPS = 300_000;

    @Override
    public String name() {
        return "ledger";
    }

    @Override
    public Report run(int seeds, boolean full, LedgerSims.Progress progress) {
        long steps = (full ? FULL_STEPS : STEPS) / seeds;
        double[] overshoot = new double[seeds];
        double[] lost = new double[seeds];
        double[] stale = new double[seeds];
        double[] leases = new double[seeds];
        for (int i = 0; i < seeds; i++) {
            progress.running("penstock", i + 1, seeds);
            Walk.Result walked = new Walk(BOUNDS, Rules.ALL).steps(steps, new SplittableRandom(i + 1));
            overshoot[i] = walked.overshoot();
            lost[i] = walked.lostSlots();
            stale[i] = StaleCheck.overshoot(BOUNDS, steps, new SplittableRandom(i + 1));
            leases[i] = TimedLeases.overshoot(BOUNDS, steps, new SplittableRandom(i + 1));
        }
        return report(full, overshoot, lost, stale, leases);
    }

    private Report report(boolean full, double[] overshoot, double[] lost, double[] stale, double[] leases) {
        Estimate over = Estimate.of(overshoot);
        Map<String, Estimate> figures = new LinkedHashMap<>();
        figures.put("overshoot", over);
        figures.put("lost_slots", Estimate.of(lost));
        Map<String, Map<String, Estimate>> baselines = new LinkedHashMap<>();
        baselines.put("stale_check", Map.of("overshoot", Estimate.of(stale)));
        baselines.put("timed_leases", Map.of("overshoot", Estimate.of(leases)));
        List<Report.Bar> bars = List.of(
                beside("stale_check", over, Estimate.of(stale)),
                beside("timed_leases", over, Estimate.of(leases)),
                Report.Bar.of("lost_slots", "==", 0, Estimate.of(lost).mean()));
        return new Report(
                name(),
                "random schedules of kills, cut streams, new owners, drains and lowered limits; 3 names of routers,"
                        + " 2 replicas of 3 slots",
                overshoot.length,
                bars.stream().allMatch(Report.Bar::holds),
                figures,
                baselines,
                bars,
                command(overshoot.length, full));
    }

    private static Report.Bar beside(String policy, Estimate own, Estimate other) {
        return Report.Bar.of("overshoot", "==", 0, own.mean()).beside(policy, other.mean(), other.mean() > 0);
    }
}
