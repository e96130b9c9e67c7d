package dev.penstock.benchmarks;

import dev.penstock.core.explain.Decision;
import dev.penstock.core.explain.DecisionRing;
import dev.penstock.core.explain.ReDecide;
import dev.penstock.report.Estimate;
import dev.penstock.report.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** What does it cost to record every decision, and is each made again from its record? */
final class ExplainBench {
    static final String NAME = "explain";

    private static final String ABOUT = "What does recording cost, and is every decision made again from its record?";

    /** The smallest, where there is least to hide a record behind, and one whose cells compete with the ring for the cache. */
    private static final int[] SIZES = {50, 2_000};

    private static final int[] REDECIDED_SIZES = {50, 500};
    private static final double MOST_BYTES = 0.01;
    private static final double MOST_RATIO = 1.3;
    private static final double ALL = 100;
    private static final int DECISIONS = 100_000;

    /** Of ten replicas one is quarantined, of four decisions one is a second attempt. */
    private static final int QUARANTINED_ONE_OF = 10;

    private static final int RETRY_ONE_OF = 4;

    private final Form form;
    private final Progress progress;
    private final Chunk chunk = new Chunk();

    ExplainBench(Form form, Progress progress) {
        this.form = form;
        this.progress = progress;
    }

    /** Two event loops over one fleet, of which one records. */
    private final class Pair {
        final Fleet fleet;
        final Loop plain;
        final Loop recording;
        final double[] ratios = new double[form.rounds()];
        final Allocation allocation = new Allocation(form);

        Pair(int replicas) {
            fleet = new Fleet(replicas);
            plain = new DecideLoop(fleet, 1, null);
            recording = new DecideLoop(fleet, 1, new DecisionRing());
        }

        void warmUp() {
            chunk.measure(plain, form.warmUpNanos(), form.leastSamples());
            chunk.measure(recording, form.warmUpNanos(), form.leastSamples());
        }

        /** Who comes first alternates too. */
        void round(int round) {
            fleet.refresh();
            double with = round % 2 == 0 ? p99WithRecord() : 0;
            chunk.measure(plain, form.chunkNanos(), form.leastSamples());
            double without = chunk.quantile(0.99);
            if (round % 2 != 0) with = p99WithRecord();
            ratios[round] = with / without;
        }

        private double p99WithRecord() {
            chunk.measure(recording, form.chunkNanos(), form.leastSamples());
            return chunk.quantile(0.99);
        }
    }

    Report run(String command) {
        progress.step("building fleets");
        List<Pair> pairs = new ArrayList<>();
        for (int size : SIZES) pairs.add(new Pair(size));
        progress.step("warming up");
        for (Pair pair : pairs) pair.warmUp();
        for (int round = 0; round < form.rounds(); round++) {
            progress.step("round " + (round + 1) + " of " + form.rounds());
            for (Pair pair : pairs) pair.round(round);
        }
        progress.step("counting allocated bytes");
        for (Pair pair : pairs) pair.allocation.complete(pair.recording, chunk, form);
        progress.step("deciding again");
        double redecided = redecidedPercent();

        Estimate ratio = pairs.stream()
                .map(each -> Estimate.ofMedian(each.ratios))
                .max((a, b) -> Double.compare(a.mean(), b.mean()))
                .orElseThrow();
        double bytes = pairs.stream()
                .mapToDouble(each -> each.allocation.bytesPerOperation())
                .max()
                .orElseThrow();
        Map<String, Estimate> figures = new LinkedHashMap<>();
        figures.put("bytes_per_op", new Estimate(bytes, 0));
        figures.put("decide_p99_ratio_with_record", ratio);
        figures.put("redecided_pct", new Estimate(redecided, 0));
        List<Report.Bar> bars = List.of(
                Report.Bar.of("bytes_per_op", "<=", MOST_BYTES, bytes),
                Report.Bar.of("decide_p99_ratio_with_record", "<=", MOST_RATIO, ratio.mean()),
                Report.Bar.of("redecided_pct", ">=", ALL, redecided));
        boolean ok = bars.stream().allMatch(Report.Bar::holds);
        return new Report(NAME, ABOUT, form.rounds(), ok, figures, Map.of(), bars, command);
    }

    /** A ring is filled under one request's number, then all of it is read and decided again. */
    private static double redecidedPercent() {
        SplittableRandom random = new SplittableRandom(20);
        DecisionRing ring = new DecisionRing();
        int[] picked = new int[DecisionRing.DECISIONS];
        int agreed = 0;
        int decided = 0;
        for (int fill = 0; decided < DECISIONS; fill++) {
            DecideLoop loop =
                    new DecideLoop(unwell(REDECIDED_SIZES[fill % REDECIDED_SIZES.length], random), fill, ring);
            for (int i = 0; i < picked.length; i++) {
                if (random.nextInt(RETRY_ONE_OF) > 0) loop.nextRequest();
                picked[i] = loop.decide(fill);
            }
            List<Decision> recorded = ring.of(fill);
            for (int i = 0; i < picked.length; i++) {
                if (i < recorded.size() && same(recorded.get(i), picked[i])) agreed++;
            }
            decided += picked.length;
        }
        return 100.0 * agreed / decided;
    }

    private static boolean same(Decision decision, int picked) {
        Decision.Candidate again = ReDecide.pick(decision);
        return (again == null ? 0 : again.number()) == picked && ReDecide.agrees(decision);
    }

    private static Fleet unwell(int replicas, SplittableRandom random) {
        Fleet fleet = new Fleet(replicas);
        for (int number = 1; number <= replicas; number++) {
            if (random.nextInt(QUARANTINED_ONE_OF) > 0) continue;
            for (int i = 0; i < 3; i++) fleet.replica(number).cell().failed(1, Fleet.NOW, random);
        }
        return fleet;
    }
}
