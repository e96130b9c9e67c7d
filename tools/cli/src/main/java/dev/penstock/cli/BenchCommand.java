package dev.penstock.cli;

import dev.penstock.benchmarks.Benchmarks;
import dev.penstock.benchmarks.ForkFailure;
import dev.penstock.report.Report;
import java.util.Iterator;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "bench",
        description = "Measure what a decision costs; needs no running stack, and does not like one beside it.",
        mixinStandardHelpOptions = true)
final class BenchCommand implements Callable<Integer> {
    private static final String LEGEND = "Median ± half of its 95 % confidence interval, rounds: ";

    private final Terminal terminal;

    @Parameters(
            paramLabel = "NAME",
            description = "One of ${COMPLETION-CANDIDATES}.",
            completionCandidates = BenchmarkNames.class)
    private String name = "";

    @Option(names = "--full", description = "Longer runs, for figures to quote.")
    private boolean full;

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    static final class BenchmarkNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Benchmarks.names().iterator();
        }
    }

    BenchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (!Benchmarks.names().contains(name)) {
            throw CliFailure.wrongUse(
                    "Unknown benchmark '" + name + "'; known are " + String.join(", ", Benchmarks.names()) + ".");
        }
        Report report = measure();
        if (terminal.interactive()) terminal.err().print("\r\033[K");
        if (json) terminal.out().println(ReportJson.of(report));
        else terminal.out().print(ReportText.of(report, LEGEND + report.seeds()));
        return report.ok() ? ExitCode.OK : ExitCode.FAILED;
    }

    private Report measure() {
        try {
            return Benchmarks.run(name, full, this::progress);
        } catch (ForkFailure e) {
            throw CliFailure.environment(String.valueOf(e.getMessage()));
        }
    }

    /** On a terminal one line that changes; else a line per step. */
    private void progress(String step) {
        String line = name + ": " + step;
        if (terminal.interactive()) {
            terminal.err().print("\r\033[K" + line);
            terminal.err().flush();
        } else {
            terminal.err().println(line);
        }
    }
}
