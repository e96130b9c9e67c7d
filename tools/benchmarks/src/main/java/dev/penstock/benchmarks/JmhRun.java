package dev.penstock.benchmarks;

import dev.penstock.report.Estimate;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/**
 * One method of {@link DecideJmh} in one forked JVM: this one's java, class path and options. Nothing of JMH's own report
 * reaches standard output, which belongs to ours.
 */
final class JmhRun {
    private static final double NANOS_PER_MICRO = 1_000;

    private final List<Statistics> iterations = new ArrayList<>();

    JmhRun(String method, Form form) {
        // A lock file for the whole machine would make one user's benchmark fail another's.
        System.setProperty("jmh.ignoreLock", "true");
        Options options = new OptionsBuilder()
                .include("^" + Pattern.quote(DecideJmh.class.getName() + "." + method) + "$")
                .forks(1)
                .warmupIterations(Math.max(1, form.jmhIterations() / 2))
                .warmupTime(TimeValue.milliseconds(form.jmhMillis()))
                .measurementIterations(form.jmhIterations())
                .measurementTime(TimeValue.milliseconds(form.jmhMillis()))
                .shouldFailOnError(true)
                .build();
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(log, true, StandardCharsets.UTF_8);
        try {
            var runner = new Runner(options, OutputFormatFactory.createFormatInstance(out, VerboseMode.NORMAL));
            for (RunResult run : runner.run()) add(run);
        } catch (RunnerException e) {
            throw new ForkFailure(log.toString(StandardCharsets.UTF_8), e);
        }
        if (iterations.isEmpty()) throw new ForkFailure(log.toString(StandardCharsets.UTF_8), null);
    }

    private void add(RunResult run) {
        for (BenchmarkResult fork : run.getBenchmarkResults()) {
            for (IterationResult each : fork.getIterationResults()) {
                iterations.add(each.getPrimaryResult().getStatistics());
            }
        }
    }

    /** Microseconds; the median over iterations. */
    Estimate micros(double percentile) {
        return Estimate.ofMedian(iterations.stream()
                .mapToDouble(each -> each.getPercentile(percentile) / NANOS_PER_MICRO)
                .toArray());
    }
}
