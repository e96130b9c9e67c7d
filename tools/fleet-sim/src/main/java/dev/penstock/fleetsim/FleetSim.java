package dev.penstock.fleetsim;

import dev.penstock.report.Estimate;
import dev.penstock.report.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The way in: runs a scenario under its policies and judges its bars. */
public final class FleetSim {
    private static final int SMALL_SEEDS = 3;
    private static final int FULL_SEEDS = 20;

    private FleetSim() {}

    /** Told before each run. */
    public interface Progress {
        void running(String policy, int seed, int seeds);
    }

    public static List<String> names() {
        return Scenarios.ALL.stream().map(Scenario::name).toList();
    }

    public static String about(String name) {
        return require(name).about();
    }

    /**
     * @param seeds how many, or null for what the form has: 3, or 20 in full
     * @param full longer, for figures to quote; else the small form that the build runs
     */
    public static Report run(String name, @Nullable Integer seeds, boolean full, Progress progress) {
        Scenario scenario = require(name);
        int count = seeds != null ? seeds : full ? FULL_SEEDS : SMALL_SEEDS;
        if (count < 1) throw new IllegalArgumentException("seeds: " + count + " is not at least 1");
        long measured = full ? scenario.fullNanos() : scenario.smallNanos();
        Map<Figure, Estimate> figures = estimates(scenario, Policy.PENSTOCK, count, measured, progress);
        Map<Policy, Map<Figure, Estimate>> baselines = new LinkedHashMap<>();
        for (Policy each : scenario.baselines()) {
            baselines.put(each, estimates(scenario, each, count, measured, progress));
        }
        List<Report.Bar> bars = bars(scenario, figures, baselines);
        Map<String, Map<String, Estimate>> named = new LinkedHashMap<>();
        baselines.forEach((policy, each) -> named.put(policy.key(), byName(each)));
        return new Report(
                name,
                scenario.about(),
                count,
                bars.stream().allMatch(Report.Bar::holds),
                byName(figures),
                named,
                bars,
                "./penstock sim " + name + (full ? " --full" : "") + (seeds == null ? "" : " --seeds " + seeds));
    }

    private static Scenario require(String name) {
        Scenario scenario = Scenarios.named(name);
        if (scenario == null) {
            throw new IllegalArgumentException(
                    "unknown scenario '" + name + "'; known are " + String.join(", ", names()));
        }
        return scenario;
    }

    private static Map<Figure, Estimate> estimates(
            Scenario scenario, Policy policy, int seeds, long measuredNanos, Progress progress) {
        Map<Figure, double[]> values = new LinkedHashMap<>();
        for (Figure figure : scenario.figures()) values.put(figure, new double[seeds]);
        for (int seed = 0; seed < seeds; seed++) {
            progress.running(policy.key(), seed + 1, seeds);
            for (Scene scene : scenario.scenes()) {
                Tally tally = new Fleet(scene.measured(measuredNanos), policy, seed + 1).run();
                for (Map.Entry<Figure, double[]> each : values.entrySet()) {
                    each.getValue()[seed] = Math.max(each.getValue()[seed], tally.figure(each.getKey()));
                }
            }
        }
        Map<Figure, Estimate> estimates = new LinkedHashMap<>();
        values.forEach((figure, each) -> estimates.put(figure, Estimate.of(each)));
        return estimates;
    }

    private static List<Report.Bar> bars(
            Scenario scenario, Map<Figure, Estimate> figures, Map<Policy, Map<Figure, Estimate>> baselines) {
        List<Report.Bar> bars = new ArrayList<>();
        for (Scenario.Limit limit : scenario.limits()) {
            if (limit.missedBy().isEmpty()) bars.add(bar(limit, figures, null, null));
            for (Policy baseline : limit.missedBy()) bars.add(bar(limit, figures, baseline, baselines.get(baseline)));
        }
        return bars;
    }

    private static Report.Bar bar(
            Scenario.Limit limit,
            Map<Figure, Estimate> figures,
            @Nullable Policy baseline,
            @Nullable Map<Figure, Estimate> baselineFigures) {
        double value = mean(figures, limit.figure());
        Double other = baselineFigures == null ? null : mean(baselineFigures, limit.figure());
        return new Report.Bar(
                limit.figure().key(),
                "<=",
                limit.most(),
                value,
                value <= limit.most(),
                baseline == null ? null : baseline.key(),
                other,
                other == null ? null : other > limit.most());
    }

    private static double mean(Map<Figure, Estimate> figures, Figure figure) {
        Estimate estimate = figures.get(figure);
        if (estimate == null) throw new IllegalStateException("no figure " + figure.key());
        return estimate.mean();
    }

    private static Map<String, Estimate> byName(Map<Figure, Estimate> figures) {
        Map<String, Estimate> named = new LinkedHashMap<>();
        figures.forEach((figure, estimate) -> named.put(figure.key(), estimate));
        return named;
    }
}
