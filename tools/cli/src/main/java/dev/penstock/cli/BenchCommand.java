package dev.penstock.cli;

import dev.penstock.benchmarks.Benchmarks;
import dev.penstock.benchmarks.ForkFailure;
import dev.penstock.relaybench.BenchFailure;
import dev.penstock.relaybench.RelayBench;
import dev.penstock.relaybench.RelayOptions;
import dev.penstock.relaybench.Scene;
import dev.penstock.report.Report;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

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

    @Option(
            names = "--scene",
            split = ",",
            paramLabel = "SCENE",
            completionCandidates = SceneNames.class,
            converter = SceneConverter.class,
            description = "relay: only these of ${COMPLETION-CANDIDATES}.")
    private @Nullable Set<Scene> scenes;

    @Option(names = "--pairs", description = "relay: measure every contender so many times.")
    private int pairs;

    @Option(names = "--zgc", description = "relay: generational ZGC instead of G1.")
    private boolean zgc;

    @Option(names = "--urgent", description = "relay: before other work of this machine; needs root.")
    private boolean urgent;

    @Option(names = "--jfr", paramLabel = "FILE", description = "relay: record the router while it is measured.")
    private @Nullable Path recording;

    static final class BenchmarkNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return names().iterator();
        }
    }

    static final class SceneNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(Scene.values()).map(Scene::label).iterator();
        }
    }

    static final class SceneConverter implements ITypeConverter<Scene> {
        @Override
        public Scene convert(String label) {
            return Arrays.stream(Scene.values())
                    .filter(scene -> scene.label().equals(label))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + label + "' is not a scene"));
        }
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>(Benchmarks.names());
        names.add(RelayBench.NAME);
        return names;
    }

    BenchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (!names().contains(name)) {
            throw CliFailure.wrongUse(
                    "Unknown benchmark '" + name + "'; known are " + String.join(", ", names()) + ".");
        }
        Report report = measure();
        if (terminal.interactive()) terminal.err().print("\r\033[K");
        if (json) terminal.out().println(ReportJson.of(report));
        else terminal.out().print(ReportText.of(report, LEGEND + report.seeds()));
        return report.ok() ? ExitCode.OK : ExitCode.FAILED;
    }

    private Report measure() {
        if (name.equals(RelayBench.NAME)) return relay();
        try {
            return Benchmarks.run(name, full, this::progress);
        } catch (ForkFailure e) {
            throw CliFailure.environment(String.valueOf(e.getMessage()));
        }
    }

    private Report relay() {
        Set<Scene> wanted = scenes == null || scenes.isEmpty() ? RelayOptions.ALL : EnumSet.copyOf(scenes);
        RelayOptions options = new RelayOptions(full, wanted, zgc, urgent, pairs, recording);
        try {
            // Its steps are figures: none may overwrite the one before.
            return RelayBench.run(options, step -> terminal.err().println(name + ": " + step));
        } catch (BenchFailure e) {
            throw CliFailure.environment(String.valueOf(e.getMessage()));
        } catch (Exception e) {
            throw CliFailure.environment("bench relay: " + e);
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
