package dev.penstock.benchmarks;

import dev.penstock.report.Estimate;
import dev.penstock.report.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Does a decision cost the same over 50 replicas and over 10,000, and what? */
final class DecideBench {
    static final String NAME = "decide";

    private static final String ABOUT = "Does a decision cost the same over 50 replicas and over 10,000, and what?";
    private static final int[] SIZES = {50, 500, 2_000, 10_000};
    private static final String P99_RATIO = "p99_ratio_10000_to_50";
    private static final String BASELINE = "full_scan";
    private static final double MOST_RATIO = 1.5;

    /** A scan of 200 times as many that takes no more than this many times as long was not measured. */
    private static final double BASELINE_RATIO = 20;

    private static final double MOST_BYTES = 0.01;

    private final int[] sizes;
    private final Form form;
    private final Progress progress;
    private final Chunk chunk = new Chunk();

    DecideBench(Form form, Progress progress) {
        this(form, progress, SIZES);
    }

    /** @param sizes of fleets, the smallest first */
    DecideBench(Form form, Progress progress, int... sizes) {
        this.sizes = sizes;
        this.form = form;
        this.progress = progress;
    }

    /** One loop over one fleet, and what it came to, round by round. */
    private static final class Lane {
        final Fleet fleet;
        final Loop loop;
        final double[] p99;
        final Allocation allocation;

        Lane(Fleet fleet, Loop loop, Form form) {
            this.fleet = fleet;
            this.loop = loop;
            this.p99 = new double[form.rounds()];
            this.allocation = new Allocation(form);
        }
    }

    Report run(String command) {
        progress.step("building fleets");
        List<Lane> penstock = new ArrayList<>();
        List<Lane> fullScan = new ArrayList<>();
        for (int size : sizes) {
            Fleet fleet = new Fleet(size);
            penstock.add(new Lane(fleet, new DecideLoop(fleet, size, null), form));
            if (size == sizes[0] || size == sizes[sizes.length - 1]) {
                fullScan.add(new Lane(fleet, new FullScan(fleet, size), form));
            }
        }
        List<Lane> all = new ArrayList<>(penstock);
        all.addAll(fullScan);
        measure(all);
        completeAllocation(penstock);

        progress.step("one thread, 2,000 replicas");
        JmhRun alone = new JmhRun("alone", form);
        progress.step("two threads and two hogs, 2,000 replicas");
        JmhRun contended = new JmhRun("contended", form);

        Estimate ratio = ratio(penstock);
        Estimate baseline = ratio(fullScan);
        double bytes = worstBytes(penstock);
        Map<String, Estimate> figures = new LinkedHashMap<>();
        figures.put(P99_RATIO, ratio);
        figures.put("bytes_per_op", new Estimate(bytes, 0));
        figures.put("p50_us_n2000", alone.micros(50));
        figures.put("p99_us_n2000", alone.micros(99));
        figures.put("contended_p9999_us", contended.micros(99.99));
        List<Report.Bar> bars = List.of(
                Report.Bar.of(P99_RATIO, "<=", MOST_RATIO, ratio.mean())
                        .beside(BASELINE, baseline.mean(), baseline.mean() > BASELINE_RATIO),
                Report.Bar.of("bytes_per_op", "<=", MOST_BYTES, bytes));
        boolean ok = bars.stream().allMatch(Report.Bar::holds);
        var baselines = Map.of(BASELINE, Map.of(P99_RATIO, baseline));
        return new Report(NAME, ABOUT, form.rounds(), ok, figures, baselines, bars, command);
    }

    private void measure(List<Lane> lanes) {
        progress.step("warming up");
        for (Lane lane : lanes) chunk.measure(lane.loop, form.warmUpNanos(), form.leastSamples());
        for (int round = 0; round < form.rounds(); round++) {
            progress.step("round " + (round + 1) + " of " + form.rounds());
            for (Lane lane : lanes) {
                lane.fleet.refresh();
                chunk.measure(lane.loop, form.chunkNanos(), form.leastSamples());
                lane.p99[round] = chunk.quantile(0.99);
            }
        }
    }

    /** After the rounds: buckets of the index have come to the size they keep, which is what a router that runs is like. */
    private void completeAllocation(List<Lane> lanes) {
        progress.step("counting allocated bytes");
        for (Lane lane : lanes) {
            lane.allocation.complete(lane.loop, chunk, form);
            if (lane.allocation.complete()) continue;
            progress.step(
                    lane.fleet.replicas + " replicas: bytes of only " + lane.allocation.operations() + " operations");
        }
    }

    /** Largest over smallest fleet, of the same round. */
    private Estimate ratio(List<Lane> lanes) {
        double[] ratios = new double[form.rounds()];
        for (int i = 0; i < ratios.length; i++) ratios[i] = lanes.getLast().p99[i] / lanes.getFirst().p99[i];
        return Estimate.ofMedian(ratios);
    }

    private static double worstBytes(List<Lane> lanes) {
        return lanes.stream()
                .mapToDouble(each -> each.allocation.bytesPerOperation())
                .max()
                .orElseThrow();
    }
}
