package dev.penstock.localstack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What {@code penstock up} can be told. */
@Command(name = "up")
final class StackOptions {
    private static final int DEFAULT_PORT = 8080;
    static final int MOST_ENGINES = 2_000;

    @Option(names = "--engines", description = "simulated engines (default: 8, or as many as --profile lists)")
    @Nullable
    Integer engines;

    @Option(names = "--routers", defaultValue = "2", description = "routers (default: ${DEFAULT-VALUE})")
    int routers = 2;

    @Option(names = "--model", defaultValue = "sim/llama-3-8b", description = "model of the simulated engines")
    String model = "sim/llama-3-8b";

    @Option(
            names = "--profile",
            defaultValue = "fast",
            description = "speed of the simulated engines: fast, slow, 8b-h100, or a mix like fast:4,slow:4")
    String profile = "fast";

    @Option(names = "--data", defaultValue = ".penstock", description = "directory of all data and logs")
    Path data = Path.of(".penstock");

    @Option(names = "--replicas", description = "file that lists your own engines, instead of simulated ones")
    @Nullable
    Path replicas;

    @Option(
            names = "--engine",
            description = "base URL of an engine of your own, instead of simulated ones; repeatable")
    List<String> engineUrls = new ArrayList<>();

    @Option(names = "--config", description = "configuration file (penstock.yaml)")
    @Nullable
    Path config;

    @Option(
            names = "--engine-kind",
            defaultValue = "vllm",
            description = "what the simulated engines are: vllm, sglang, mixed (default: ${DEFAULT-VALUE})")
    String engineKind = "vllm";

    @Option(names = "--kv-events", description = "simulated engines publish what their KV caches hold")
    boolean kvEvents;

    @Option(
            names = "--processes",
            description = "each service as a JVM of its own, two of each but the routers, started again when killed")
    boolean processes;

    @Option(names = "--port", hidden = true, defaultValue = "8080", description = "of router-0; router k at + 100 k")
    int port = 8080;

    @Option(names = "--collector-port", hidden = true, defaultValue = "8083")
    int collectorPort = 8083;

    /**
     * Instance k listens at the usual port + 100 k. A stack with a router port of its own (a test) gets free ports for what
     * it doesn't name.
     */
    int portOf(ServiceKind kind, ServiceKind.Port port, int index) throws IOException {
        if (kind == ServiceKind.ROUTER) return this.port + port.base() - DEFAULT_PORT + 100 * index;
        if (kind == ServiceKind.COLLECTOR && index == 0) return collectorPort;
        if (this.port == DEFAULT_PORT) return port.base() + 100 * index;
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }

    /** What is wrong with the options, or null. */
    @Nullable
    String problem() {
        if (engines != null && (engines < 1 || engines > MOST_ENGINES))
            return "--engines: " + engines + ", expected 1.." + MOST_ENGINES;
        try {
            int count = mix().profiles().size();
            if (count > MOST_ENGINES) return "--profile: " + count + " engines, expected at most " + MOST_ENGINES;
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
        if (!List.of("vllm", "sglang", "mixed").contains(engineKind))
            return "--engine-kind: '" + engineKind + "', expected vllm, sglang or mixed";
        if (routers < 1 || routers > 16) return "--routers: " + routers + ", expected 1..16";
        if (replicas != null && !engineUrls.isEmpty())
            return "--replicas and --engine exclude each other: list all engines in the file";
        if (kvEvents && !simulated())
            return "--kv-events: simulated engines only; yours are told of in the replica file";
        for (String url : engineUrls) {
            if (!url.matches("http://[^/]+/?"))
                return "--engine: '" + url + "', expected a base URL like http://127.0.0.1:8000";
        }
        return null;
    }

    /** Of the simulated engines. */
    ProfileMix mix() {
        return ProfileMix.of(profile, engines);
    }

    boolean simulated() {
        return replicas == null && engineUrls.isEmpty();
    }
}
