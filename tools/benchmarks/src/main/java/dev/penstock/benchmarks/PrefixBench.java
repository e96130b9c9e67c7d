package dev.penstock.benchmarks;

import com.sun.management.ThreadMXBean;
import dev.penstock.core.prefix.PrefixTable;
import dev.penstock.report.Estimate;
import dev.penstock.report.Report;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** What do hashing a prompt and looking it up cost, and does the table stay within its memory? */
final class PrefixBench {
    static final String NAME = "prefix";

    private static final String ABOUT =
            "What do hashing a prompt and looking it up cost, and does the table stay within its memory?";
    private static final String RATIO = "lookup_ratio_10000_to_50";
    private static final String MEMORY = "memory_over_bound_ratio";
    private static final String BYTES = "bytes_per_op";
    private static final double MOST_RATIO = 1.5;
    private static final double MOST_MEMORY = 1;
    private static final double MOST_BYTES = 0.01;
    private static final int FEW = 50;
    private static final int MANY = 10_000;
    private static final int DISTINCT = 10_000_000;
    private static final long DISTINCT_NANOS = 600_000_000_000L;
    private static final double NANOS_PER_MICRO = 1_000;
    private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Form form;
    private final Progress progress;
    private final int distinct;
    private final Chunk chunk = new Chunk();

    PrefixBench(Form form, Progress progress) {
        this(form, progress, DISTINCT);
    }

    /** @param distinct prefixes that are pressed into a table of a tenth of that */
    PrefixBench(Form form, Progress progress, int distinct) {
        this.form = form;
        this.progress = progress;
        this.distinct = distinct;
    }

    Report run(String command) {
        progress.step("filling tables");
        HashLoop hash = new HashLoop();
        PrefixLoop few = new PrefixLoop(FEW, false);
        PrefixLoop many = new PrefixLoop(MANY, false);
        progress.step("warming up");
        for (Loop each : List.of(hash, few, many)) chunk.measure(each, form.warmUpNanos(), form.leastSamples());
        double[] gigabytes = new double[form.rounds()];
        double[] ratios = new double[form.rounds()];
        double[] micros = new double[form.rounds()];
        for (int round = 0; round < form.rounds(); round++) {
            progress.step("round " + (round + 1) + " of " + form.rounds());
            gigabytes[round] = HashLoop.BYTES / nanos(hash, 0.5);
            boolean first = round % 2 == 0;
            double fewBefore = first ? nanos(few, 0.99) : 0;
            double manyNanos = nanos(many, 0.99);
            micros[round] = chunk.quantile(0.5) / NANOS_PER_MICRO;
            ratios[round] = manyNanos / (first ? fewBefore : nanos(few, 0.99));
        }
        progress.step("counting allocated bytes");
        double bytes = bytesPerOperation();
        progress.step(distinct + " distinct prefixes");
        return report(command, gigabytes, ratios, micros, bytes, memoryOverBound());
    }

    private double nanos(Loop loop, double quantile) {
        chunk.measure(loop, form.chunkNanos(), form.leastSamples());
        return chunk.quantile(quantile);
    }

    /** Of a look and what is learned after it. */
    private double bytesPerOperation() {
        Loop learning = new PrefixLoop(MANY, true);
        Allocation allocation = new Allocation(form);
        allocation.complete(learning, chunk, form);
        return allocation.bytesPerOperation();
    }

    /** All bytes that a table takes to be built and to be pressed full, and the blocks it then holds, over what it states. */
    private double memoryOverBound() {
        int most = distinct / 10;
        long before = THREAD.getCurrentThreadAllocatedBytes();
        PrefixTable table = new PrefixTable(most, DISTINCT_NANOS);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < distinct; i++) table.learn(random.nextLong(), i % MANY, i * (DISTINCT_NANOS / distinct));
        long taken = THREAD.getCurrentThreadAllocatedBytes() - before;
        return Math.max((double) taken / PrefixTable.bytesOf(most), (double) table.size() / most);
    }

    private Report report(
            String command, double[] gigabytes, double[] ratios, double[] micros, double bytes, double memory) {
        Estimate ratio = Estimate.ofMedian(ratios);
        Map<String, Estimate> figures = new LinkedHashMap<>();
        figures.put("hash_gb_per_s", Estimate.ofMedian(gigabytes));
        figures.put(RATIO, ratio);
        figures.put("lookup_p50_us_n10000", Estimate.ofMedian(micros));
        figures.put(MEMORY, new Estimate(memory, 0));
        figures.put(BYTES, new Estimate(bytes, 0));
        List<Report.Bar> bars = List.of(
                Report.Bar.of(RATIO, "<=", MOST_RATIO, ratio.mean()),
                Report.Bar.of(MEMORY, "<=", MOST_MEMORY, memory),
                Report.Bar.of(BYTES, "<=", MOST_BYTES, bytes));
        boolean ok = bars.stream().allMatch(Report.Bar::holds);
        return new Report(NAME, ABOUT, form.rounds(), ok, figures, Map.of(), bars, command);
    }
}
