package dev.penstock.benchmarks;

import dev.penstock.report.Estimate;
import dev.penstock.report.Report;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What does a hard limit cost a request that has a slot? */
final class AdmitBench {
    static final String NAME = "admit";

    private static final String ABOUT = "What does it cost to take a slot of a hard limit and give it back?";
    private static final double MOST_BYTES = 0.01;
    private static final int WATCHED_OPERATIONS = 1_000_000;

    private final Form form;
    private final Progress progress;
    private final Chunk chunk = new Chunk();

    AdmitBench(Form form, Progress progress) {
        this.form = form;
        this.progress = progress;
    }

    Report run(String command) {
        AdmitLoop loop = new AdmitLoop();
        progress.step("warming up");
        chunk.measure(loop, form.warmUpNanos(), form.leastSamples());
        double[] medians = new double[form.rounds()];
        for (int round = 0; round < medians.length; round++) {
            progress.step("round " + (round + 1) + " of " + medians.length);
            chunk.measure(loop, form.chunkNanos(), form.leastSamples());
            medians[round] = chunk.quantile(0.5);
        }
        progress.step("counting allocated bytes");
        Allocation allocation = new Allocation(form);
        allocation.complete(loop, chunk, form);
        progress.step("counting calls");
        long calls = RemoteCalls.during(() -> loop.run(WATCHED_OPERATIONS));

        Map<String, Estimate> figures = new LinkedHashMap<>();
        figures.put("bytes_per_op", new Estimate(allocation.bytesPerOperation(), 0));
        figures.put("remote_calls", new Estimate(calls, 0));
        figures.put("p50_ns", Estimate.ofMedian(medians));
        List<Report.Bar> bars = List.of(
                Report.Bar.of("bytes_per_op", "<=", MOST_BYTES, allocation.bytesPerOperation()),
                Report.Bar.of("remote_calls", "==", 0, calls));
        boolean ok = bars.stream().allMatch(Report.Bar::holds);
        return new Report(NAME, ABOUT, form.rounds(), ok, figures, Map.of(), bars, command);
    }
}
