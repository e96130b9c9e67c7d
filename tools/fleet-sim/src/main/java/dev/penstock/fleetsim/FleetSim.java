package dev.penstock.fleetsim;

import dev.penstock.report.Estimate;
import dev.penstock.report.Report;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The way in: runs a scenario under its policies and judges its bars. */
public final class FleetSim {
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

    /** @throws IOException when the trace cannot be read */
    public static Report run(String name, SimOptions options, Progress progress) throws IOException {
        Scenario scenario = scenario(name, options);
        List<Scene> scenes = scenario.scenes().of(options.full());
        List<Runs> seeds = new ArrayList<>();
        for (int seed = 1; seed <= options.seedCount(); seed++) seeds.add(new Runs(seed));
        Map<Figure, Estimate> figures = estimates(scenario, scenes, Policy.PENSTOCK, seeds, progress);
        Map<Policy, Map<Figure, Estimate>> baselines = new LinkedHashMap<>();
        for (Policy each : scenario.baselines()) {
            baselines.put(each, estimates(scenario, scenes, each, seeds, progress));
        }
        List<Report.Bar> bars = bars(scenario, figures, baselines);
        Map<String, Map<String, Estimate>> named = new LinkedHashMap<>();
        baselines.forEach((policy, each) -> named.put(policy.key(), byName(each)));
        return new Report(
                name,
                scenario.about(),
                seeds.size(),
                bars.stream().allMatch(Report.Bar::holds),
                byName(figures),
                named,
                bars,
                "./penstock sim " + name + options.arguments());
    }

    private static Scenario scenario(String name, SimOptions options) throws IOException {
        Scenario scenario = require(name);
        if (options.trace() == null) return scenario;
        if (scenario.name().equals("trace")) return TraceScenario.of(options.trace(), options.speed());
        if (scenario.name().equals(PrefixScenario.NAME)) return PrefixScenario.of(options.trace(), options.speed());
        throw new IllegalArgumentException("trace: expected with scenario trace or prefix only, got '" + name + "'");
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
            Scenario scenario, List<Scene> scenes, Policy policy, List<Runs> seeds, Progress progress) {
        for (int seed = 0; seed < seeds.size(); seed++) {
            progress.running(policy.key(), seed + 1, seeds.size());
            for (Scene scene : scenes) seeds.get(seed).of(scene, policy);
        }
        Map<Figure, Estimate> estimates = new LinkedHashMap<>();
        for (Figure figure : scenario.figures()) {
            double[] values = new double[seeds.size()];
            for (int seed = 0; seed < values.length; seed++) {
                double worst = Double.NaN;
                for (Scene scene : scenes) worst = figure.worse(worst, figure.of(seeds.get(seed), scene, policy));
                values[seed] = worst;
            }
            estimates.put(figure, Estimate.of(values));
        }
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
                limit.figure().op(),
                limit.limit(),
                value,
                limit.figure().holds(value, limit.limit()),
                baseline == null ? null : baseline.key(),
                other,
                other == null ? null : !limit.figure().holds(other, limit.limit()));
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
