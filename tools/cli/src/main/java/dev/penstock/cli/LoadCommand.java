package dev.penstock.cli;

import dev.penstock.cli.load.LoadGenerator;
import dev.penstock.cli.load.LoadPlan;
import dev.penstock.cli.load.LoadProgress;
import dev.penstock.cli.load.LoadReport;
import dev.penstock.cli.load.Rehearsal;
import dev.penstock.cli.load.TokenCount;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "load",
        description = "Send chat completions and measure the answers. With --rps arrivals are scheduled, and latency"
                + " counts from the schedule; with --concurrency alone each worker waits for its answer.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class LoadCommand implements Callable<Integer> {
    private static final double DEFAULT_RPS = 50;
    private static final int BAR_WIDTH = 30;
    private static final long BAR_MILLIS = 200;
    private static final long LINE_MILLIS = 5000;
    private final Terminal terminal;

    @Option(names = "--rps", paramLabel = "N", description = "Arrivals per second (default: 50).")
    private @Nullable Double rps;

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            description = "Alone: workers. With --rps: outstanding requests, above which arrivals are overruns"
                    + " (default: " + LoadPlan.MAX_OUTSTANDING + ").")
    private @Nullable Integer concurrency;

    @Option(names = "--duration", paramLabel = "T", description = "Such as 30s or 2m (default: 10s).")
    private Duration duration = Duration.ofSeconds(10);

    @Option(names = "--timeout", paramLabel = "T", description = "Of a request, from its schedule (default: 60s).")
    private Duration timeout = Duration.ofSeconds(60);

    @Option(names = "--model", paramLabel = "M", description = "Default: the running stack's.")
    private @Nullable String model;

    @Option(names = "--prompt-tokens", paramLabel = "D", description = "N or uniform:A:B (default: 256).")
    private String promptTokens = "256";

    @Option(names = "--output-tokens", paramLabel = "D", description = "N or uniform:A:B (default: 32).")
    private String outputTokens = "32";

    @Option(names = "--stream", negatable = true, defaultValue = "true", fallbackValue = "true")
    private boolean stream = true;

    @Option(names = "--direct", description = "Also straight to the engines, at the same rate, in turn.")
    private boolean direct;

    @Option(names = "--url", paramLabel = "URL", description = "Repeatable; instead of the running routers.")
    private List<String> urls = List.of();

    @Option(names = "--seed", paramLabel = "N", description = "Of arrivals and sizes (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--json", description = "One JSON object instead of tables.")
    private boolean json;

    @Mixin
    private DataDir data = new DataDir();

    LoadCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        LoadPlan plan = plan();
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        try {
            Rehearsal.run(vertx);
            LoadReport report = follow(LoadGenerator.start(vertx, plan));
            LoadReportText text = new LoadReportText(report);
            if (json) terminal.out().println(text.json());
            else terminal.out().print(text.table());
            return report.failed() ? ExitCode.FAILED : ExitCode.OK;
        } finally {
            vertx.close().await();
        }
    }

    LoadPlan plan() {
        Optional<RunFile> run = urls.isEmpty() || direct || model == null ? RunFile.find(data) : Optional.empty();
        if (urls.isEmpty() && run.isEmpty()) run = Optional.of(RunFile.require(data));
        try {
            return new LoadPlan(
                    urls.isEmpty() ? run.orElseThrow().routerUrls() : urls,
                    direct ? engines(run) : List.of(),
                    rps != null ? positive(rps) : concurrency == null ? DEFAULT_RPS : 0,
                    concurrency == null ? LoadPlan.MAX_OUTSTANDING : concurrency,
                    duration,
                    modelName(run),
                    TokenCount.parse(promptTokens),
                    TokenCount.parse(outputTokens),
                    stream,
                    seed,
                    timeout);
        } catch (IllegalArgumentException e) {
            throw CliFailure.wrongUse(String.valueOf(e.getMessage()));
        }
    }

    private static double positive(double rps) {
        if (rps > 0) return rps;
        throw CliFailure.wrongUse("--rps: expected more than 0, got " + rps);
    }

    private static List<String> engines(Optional<RunFile> run) {
        List<String> engines = run.map(RunFile::engineUrls).orElse(List.of());
        if (engines.isEmpty()) throw CliFailure.wrongUse("--direct needs the engines of a running stack.");
        return engines;
    }

    private String modelName(Optional<RunFile> run) {
        if (model != null) return model;
        String running = run.map(RunFile::model).orElse(null);
        if (running == null) throw CliFailure.wrongUse("--model is needed: no running stack tells one.");
        return running;
    }

    private LoadReport follow(LoadGenerator generator) throws InterruptedException {
        long interval = terminal.interactive() ? BAR_MILLIS : LINE_MILLIS;
        while (true) {
            try {
                LoadReport report = generator.report().get(interval, TimeUnit.MILLISECONDS);
                if (terminal.interactive()) show(generator.progress(), "\n");
                return report;
            } catch (TimeoutException e) {
                show(generator.progress(), terminal.interactive() ? "" : "\n");
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }
    }

    private void show(LoadProgress progress, String end) {
        double total = duration.toMillis() / 1000.0;
        String counts = String.format(
                Locale.ROOT,
                "%3.0f of %.0f s  sent %d  ok %d  errors %d  outstanding %d",
                Math.min(progress.elapsedSeconds(), total),
                total,
                progress.sent(),
                progress.ok(),
                progress.errors(),
                progress.outstanding());
        terminal.err()
                .print((terminal.interactive() ? "\r" + bar(progress.elapsedSeconds() / total) : "") + counts + end);
        terminal.err().flush();
    }

    private static String bar(double done) {
        int filled = (int) (Math.min(1, done) * BAR_WIDTH);
        return "[" + "#".repeat(filled) + "-".repeat(BAR_WIDTH - filled) + "] ";
    }
}
