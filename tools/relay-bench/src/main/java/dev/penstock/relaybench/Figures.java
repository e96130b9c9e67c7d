package dev.penstock.relaybench;

import dev.penstock.report.Estimate;
import dev.penstock.report.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the scenes came to: the router's figures, the others' beside them, and the bars. */
final class Figures {
    private final boolean quiet;
    private final Map<String, Estimate> router = new LinkedHashMap<>();
    private final Map<String, Map<String, Estimate>> others = new LinkedHashMap<>();
    private final List<Report.Bar> bars = new ArrayList<>();

    /** @param quiet judge also what needs a quiet machine */
    Figures(boolean quiet) {
        this.quiet = quiet;
    }

    /** Of one round each. */
    Estimate add(String figure, double[] values) {
        Estimate estimate = Estimate.ofMedian(values);
        router.put(figure, estimate);
        return estimate;
    }

    void add(String figure, double value) {
        router.put(figure, new Estimate(value, 0));
    }

    /** The same figure of the router, or of another contender. */
    void of(String contender, String figure, double[] values) {
        if (contender.startsWith("router")) add(figure, values);
        else others.computeIfAbsent(contender, name -> new LinkedHashMap<>()).put(figure, Estimate.ofMedian(values));
    }

    /** A time, or a ratio of times: judged on a quiet machine only. */
    void timeBar(String figure, double limit, double[] values) {
        double value = add(figure, values).mean();
        bars.add(quiet ? Report.Bar.of(figure, "<=", limit, value) : Report.Bar.unmeasured(figure, "<=", limit));
    }

    /** What a JVM allocates is the same on a busy machine. */
    void bytesBar(String figure, double limit, double[] values) {
        double value = add(figure, values).mean();
        bars.add(Report.Bar.of(figure, "<=", limit, value));
    }

    /** A count: judged anywhere. */
    void countBar(String figure, String op, double limit, double value) {
        add(figure, value);
        bars.add(Report.Bar.of(figure, op, limit, value));
    }

    /** What cannot be known here. */
    void unknown(String figure, double limit) {
        bars.add(Report.Bar.unmeasured(figure, "<=", limit));
    }

    Report report(String name, String about, int rounds, String command) {
        boolean ok = bars.stream().allMatch(Report.Bar::holds);
        return new Report(name, about, rounds, ok, router, others, List.copyOf(bars), command);
    }
}
