package dev.penstock.cli;

import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "up",
        description = "Start engines, routers, Kafka and Redis on this machine.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class UpCommand implements Callable<Integer> {
    /** By name: the stack is a module of its own, and this one compiles without it. */
    private static final String STACK = "dev.penstock.localstack.LocalStackMain";

    private final Terminal terminal;

    @Option(
            names = "--engines",
            paramLabel = "N",
            description = "Simulated engines (default: 8, or as many as --profile lists).")
    private @Nullable Integer engines;

    @Option(names = "--routers", paramLabel = "N", description = "Default: ${DEFAULT-VALUE}.")
    private int routers = 2;

    @Option(names = "--model", paramLabel = "M", description = "Name served (default: ${DEFAULT-VALUE}).")
    private String model = "sim/llama-3-8b";

    @Option(
            names = "--profile",
            paramLabel = "P",
            description = "fast, slow, 8b-h100, ..., or a mix like fast:4,slow:4 (default: ${DEFAULT-VALUE}).")
    private String profile = "fast";

    @Option(
            names = "--engine-kind",
            paramLabel = "KIND",
            description = "vllm, sglang or mixed (default: ${DEFAULT-VALUE}).")
    private String engineKind = "vllm";

    @Option(
            names = "--kv-events",
            description = "Simulated engines publish what their KV caches hold: for models with prefix.mode events.")
    private boolean kvEvents;

    @Option(names = "--processes", description = "Each service as a process of its own, two of each but the routers.")
    private boolean processes;

    @ArgGroup
    private Fleet fleet = new Fleet();

    static final class Fleet {
        @Option(names = "--replicas", paramLabel = "FILE", description = "Engines of yours, from a file.")
        private @Nullable Path file;

        @Option(names = "--engine", paramLabel = "URL", description = "An engine of yours; repeatable.")
        private List<String> urls = List.of();
    }

    @Option(names = "--detach", description = "In the background; returns when it is ready.")
    private boolean detach;

    @Option(names = "--config", paramLabel = "FILE", description = "penstock.yaml of the services.")
    private @Nullable Path config;

    @Mixin
    private DataDir data = new DataDir();

    UpCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (engines != null && engines < 1) throw CliFailure.wrongUse("--engines: expected 1 or more, got " + engines);
        if (routers < 1) throw CliFailure.wrongUse("--routers: expected 1 or more, got " + routers);
        Optional<RunFile> running = RunFile.find(data);
        if (running.isPresent()) {
            throw CliFailure.environment("Penstock already runs from " + data.path() + " (process "
                    + running.get().pid() + ").\nLook at it: ./penstock status\nStop it: ./penstock down\n"
                    + "A second one needs its own ports and --data.");
        }
        data.create();
        return detach ? new DetachedStack(terminal, data).start(arguments()) : runHere();
    }

    /** What the stack is given; also the arguments of {@code up} itself in a detached child. */
    List<String> arguments() {
        List<String> args = new ArrayList<>();
        if (engines != null) args.addAll(List.of("--engines", String.valueOf(engines)));
        args.addAll(List.of("--routers", String.valueOf(routers), "--model", model));
        args.addAll(List.of("--profile", profile, "--data", data.path().toString()));
        args.addAll(List.of("--engine-kind", engineKind));
        if (kvEvents) args.add("--kv-events");
        if (processes) args.add("--processes");
        if (fleet.file != null) args.addAll(List.of("--replicas", absolute(fleet.file)));
        for (String url : fleet.urls) args.addAll(List.of("--engine", url));
        if (config != null) args.addAll(List.of("--config", absolute(config)));
        return args;
    }

    private static String absolute(Path path) {
        return path.toAbsolutePath().normalize().toString();
    }

    private int runHere() {
        try {
            Object exitCode = Class.forName(STACK)
                    .getMethod("run", String[].class)
                    .invoke(null, (Object) arguments().toArray(String[]::new));
            return exitCode instanceof Integer code ? code : ExitCode.OK;
        } catch (ClassNotFoundException e) {
            throw CliFailure.environment("This build has no local stack (" + STACK + " is not on the class path).");
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException failure) throw failure;
            throw new IllegalStateException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
