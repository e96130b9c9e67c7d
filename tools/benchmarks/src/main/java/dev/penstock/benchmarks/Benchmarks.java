package dev.penstock.benchmarks;

import dev.penstock.report.Report;
import java.util.List;

/** The way in: runs a benchmark and judges its bars. */
public final class Benchmarks {
    private Benchmarks() {}

    public static List<String> names() {
        return List.of(AdmitBench.NAME, DecideBench.NAME, ExplainBench.NAME, PrefixBench.NAME);
    }

    /**
     * The report has the number of rounds where a simulation's has seeds.
     *
     * @param full longer, for figures to quote
     */
    public static Report run(String name, boolean full, Progress progress) {
        return run(name, full ? Form.FULL : Form.SMALL, full, progress);
    }

    private static Report run(String name, Form form, boolean full, Progress progress) {
        String command = "./penstock bench " + name + (full ? " --full" : "");
        return switch (name) {
            case AdmitBench.NAME -> new AdmitBench(form, progress).run(command);
            case DecideBench.NAME -> new DecideBench(form, progress).run(command);
            case ExplainBench.NAME -> new ExplainBench(form, progress).run(command);
            case PrefixBench.NAME -> new PrefixBench(form, progress).run(command);
            default ->
                throw new IllegalArgumentException(
                        "unknown benchmark '" + name + "'; known are " + String.join(", ", names()));
        };
    }
}
