package dev.penstock.cli;

import dev.penstock.fleetsim.FleetSim;
import dev.penstock.fleetsim.SimChart;
import dev.penstock.fleetsim.SimOptions;
import dev.penstock.fleetsim.trace.TraceException;
import dev.penstock.ledgermodel.LedgerSims;
import dev.penstock.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "sim",
        description = "Run a scenario of the fleet simulator; needs no running stack.",
        mixinStandardHelpOptions = true)
final class SimCommand implements Callable<Integer> {
    private static final String LEGEND = "Mean ± half of the 95 % confidence interval, seeds: ";

    private final Terminal terminal;

    @Parameters(
            paramLabel = "NAME",
            description = "One of ${COMPLETION-CANDIDATES}.",
            completionCandidates = ScenarioNames.class)
    private String name = "";

    @Option(names = "--seeds", paramLabel = "N", description = "How many; without it 3, or 20 with --full.")
    private @Nullable Integer seeds;

    @Option(names = "--full", description = "Longer runs, for figures to quote.")
    private boolean full;

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description =
                    "Scenarios trace and prefix: these requests instead of generated ones. Azure's CSV, Mooncake's"
                            + " JSON lines, or CSV with arrival,prompt_tokens,output_tokens,session,model.")
    private @Nullable Path trace;

    @Option(
            names = "--speed",
            paramLabel = "X",
            description = "With --trace: so many times faster than it was (default: for the scenario's load).")
    private @Nullable Double speed;

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    @Option(names = "--svg", paramLabel = "FILE", description = "Also draw the figures into this file.")
    private @Nullable Path svg;

    static final class ScenarioNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return names().iterator();
        }
    }

    SimCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (!names().contains(name)) {
            throw CliFailure.wrongUse("Unknown scenario '" + name + "'; known are " + String.join(", ", names()) + ".");
        }
        checkOptions();
        Report report = run();
        if (terminal.interactive()) terminal.err().print("\r\033[K");
        if (svg != null) draw(svg, report);
        if (json) terminal.out().println(ReportJson.of(report));
        else terminal.out().print(ReportText.of(report, LEGEND + report.seeds()));
        return report.ok() ? ExitCode.OK : ExitCode.FAILED;
    }

    private void checkOptions() {
        if (seeds != null && seeds < 1) throw CliFailure.wrongUse("--seeds: expected at least 1, got " + seeds + ".");
        if (trace != null && !name.equals("trace") && !name.equals("prefix")) {
            throw CliFailure.wrongUse("--trace: for scenarios trace and prefix only, got '" + name + "'.");
        }
        if (speed == null) return;
        if (trace == null) throw CliFailure.wrongUse("--speed: needs --trace.");
        if (!(speed > 0)) throw CliFailure.wrongUse("--speed: expected more than 0, got " + speed + ".");
    }

    private static List<String> names() {
        return Stream.of(FleetSim.names(), LedgerSims.names())
                .flatMap(List::stream)
                .toList();
    }

    private Report run() {
        SimOptions options = new SimOptions(seeds, full, trace, speed);
        if (LedgerSims.names().contains(name)) return LedgerSims.run(name, options.seedCount(), full, this::progress);
        try {
            return FleetSim.run(name, options, this::progress);
        } catch (TraceException e) {
            throw CliFailure.wrongUse(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw CliFailure.wrongUse("Cannot read " + trace + ": " + e);
        }
    }

    /** On a terminal one line that changes; else one line per policy. */
    private void progress(String policy, int seed, int of) {
        String line = name + ": " + policy + ", seed " + seed + " of " + of;
        if (terminal.interactive()) {
            terminal.err().print("\r\033[K" + line);
            terminal.err().flush();
        } else if (seed == 1) {
            terminal.err().println(name + ": " + policy + ", " + of + " seeds");
        }
    }

    private void draw(Path file, Report report) {
        try {
            Files.writeString(file, SimChart.svg(report));
        } catch (IOException e) {
            throw CliFailure.environment("Cannot write " + file + ": " + e);
        }
        terminal.err().println("Drawn: " + file);
    }
}
