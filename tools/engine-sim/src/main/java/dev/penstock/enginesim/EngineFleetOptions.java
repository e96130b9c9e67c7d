package dev.penstock.enginesim;

import dev.penstock.enginesim.kvevents.KvEventOptions;
import dev.penstock.enginesim.metrics.MetricDialect;
import dev.penstock.enginesim.step.Profile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to start. Engines are alike; {@code engine-i} listens on {@code basePort + i}.
 *
 * @param count number of engines
 * @param basePort 0 = any free ports
 * @param strictPorts fail when a port is taken, instead of choosing a free one
 * @param models served names; the first is the model's own
 * @param seed of jitter (per engine) and text (the same on all engines)
 * @param dialect generation of metric names
 * @param nameFilter false: {@code name[]} gets 200 and an empty body, as in vLLM's multi-process mode
 * @param controlPort of the fleet's control endpoint; {@link #NO_CONTROL} = none
 * @param kind whose API the engines speak
 * @param promptDetails whether usage tells cached tokens: {@code --enable-prompt-tokens-details}
 * @param sglangMetrics whether SGLang engines have a metrics page: {@code --enable-metrics}
 * @param kvEvents how they publish what their caches hold; null = not at all
 * @param videoMillis how long a video of {@code /v1/videos} takes
 */
public record EngineFleetOptions(
        int count,
        String host,
        int basePort,
        boolean strictPorts,
        List<String> models,
        Profile profile,
        long seed,
        MetricDialect dialect,
        boolean nameFilter,
        int controlPort,
        EngineKind kind,
        boolean promptDetails,
        boolean sglangMetrics,
        @Nullable KvEventOptions kvEvents,
        long videoMillis) {
    public static final int DEFAULT_BASE_PORT = 20_000;
    public static final String DEFAULT_MODEL = "sim/llama-3-8b";
    public static final int NO_CONTROL = 0;
    public static final long DEFAULT_VIDEO_MILLIS = 2_000;

    private static final int LAST_PORT = 65_535;

    public EngineFleetOptions {
        models = List.copyOf(models);
        require(count >= 1, "engines", "1 or more", count);
        require(basePort == 0 || basePort + count - 1 <= LAST_PORT, "port", "all ports up to 65535", basePort);
        require(basePort >= 0, "port", "0 or more", basePort);
        require(controlPort >= 0 && controlPort <= LAST_PORT, "control port", "0 to 65535", controlPort);
        require(videoMillis >= 1, "video time", "1 ms or more", (int) videoMillis);
        require(!models.isEmpty(), "models", "at least one name", models.size());
    }

    /** vLLM engines, without what has an option of its own. */
    public EngineFleetOptions(
            int count,
            String host,
            int basePort,
            boolean strictPorts,
            List<String> models,
            Profile profile,
            long seed,
            MetricDialect dialect,
            boolean nameFilter,
            int controlPort) {
        this(
                count,
                host,
                basePort,
                strictPorts,
                models,
                profile,
                seed,
                dialect,
                nameFilter,
                controlPort,
                EngineKind.VLLM,
                false,
                true,
                null,
                DEFAULT_VIDEO_MILLIS);
    }

    /** One fast engine on 127.0.0.1:20000. */
    public static EngineFleetOptions defaults() {
        return new EngineFleetOptions(
                1,
                "127.0.0.1",
                DEFAULT_BASE_PORT,
                false,
                List.of(DEFAULT_MODEL),
                Profile.FAST,
                1,
                MetricDialect.NEW,
                true,
                NO_CONTROL);
    }

    public EngineFleetOptions withCount(int engines) {
        return new EngineFleetOptions(
                engines,
                host,
                basePort,
                strictPorts,
                models,
                profile,
                seed,
                dialect,
                nameFilter,
                controlPort,
                kind,
                promptDetails,
                sglangMetrics,
                kvEvents,
                videoMillis);
    }

    public EngineFleetOptions withHost(String address) {
        return new EngineFleetOptions(
                count,
                address,
                basePort,
                strictPorts,
                models,
                profile,
                seed,
                dialect,
                nameFilter,
                controlPort,
                kind,
                promptDetails,
                sglangMetrics,
                kvEvents,
                videoMillis);
    }

    public EngineFleetOptions withBasePort(int port) {
        return new EngineFleetOptions(
                count,
                host,
                port,
                strictPorts,
                models,
                profile,
                seed,
                dialect,
                nameFilter,
                controlPort,
                kind,
                promptDetails,
                sglangMetrics,
                kvEvents,
                videoMillis);
    }

    public EngineFleetOptions withStrictPorts(boolean strict) {
        return new EngineFleetOptions(
                count,
                host,
                basePort,
                strict,
                models,
                profile,
                seed,
                dialect,
                nameFilter,
                controlPort,
                kind,
                promptDetails,
                sglangMetrics,
                kvEvents,
                videoMillis);
    }

    public EngineFleetOptions withModels(String... names) {
        return new EngineFleetOptions(
                count,
                host,
                basePort,
                strictPorts,
                List.of(names),
                profile,
                seed,
                dialect,
                nameFilter,
                controlPort,
                kind,
                promptDetails,
                sglangMetrics,
                kvEvents,
                videoMillis);
    }

    public EngineFleetOptions withProfile(Profile other) {
        return new EngineFleetOptions(
                count,
                host,
                basePort,
                strictPorts,
                models,
                other,
                seed,
                dialect,
                nameFilter,
                controlPort,
                kind,
                promptDetails,
                sglangMetrics,
                kvEvents,
                videoMillis);
    }

    public EngineFleetOptions withSeed(long other) {
        return new EngineFleetOptions(
                count,
                host,
                basePort,
                strictPorts,
                models,
                profile,
                other,
                dialect,
                nameFilter,
                controlPort,
                kind,
                promptDetails,
                sglangMetrics,
                kvEvents,
                videoMillis);
    }

    public EngineFleetOptions withDialect(MetricDialect other) {
        return new EngineFleetOptions(
                count,
                host,
                basePort,
                strictPorts,
                models,
                profile,
                seed,
                other,
                nameFilter,
                controlPort,
                kind,
                promptDetails,
                sglangMetrics,
                kvEvents,
                videoMillis);
    }

    public EngineFleetOptions withNameFilter(boolean on) {
        return new EngineFleetOptions(
                count,
                host,
                basePort,
                strictPorts,
                models,
                profile,
                seed,
                dialect,
                on,
                controlPort,
                kind,
                promptDetails,
                sglangMetrics,
                kvEvents,
                videoMillis);
    }

    public EngineFleetOptions withControlPort(int port) {
        return new EngineFleetOptions(
                count,
                host,
                basePort,
                strictPorts,
                models,
                profile,
                seed,
                dialect,
                nameFilter,
                port,
                kind,
                promptDetails,
                sglangMetrics,
                kvEvents,
                videoMillis);
    }

    public EngineFleetOptions withKind(EngineKind other) {
        return new EngineFleetOptions(
                count,
                host,
                basePort,
                strictPorts,
                models,
                profile,
                seed,
                dialect,
                nameFilter,
                controlPort,
                other,
                promptDetails,
                sglangMetrics,
                kvEvents,
                videoMillis);
    }

    public EngineFleetOptions withPromptDetails(boolean on) {
        return new EngineFleetOptions(
                count,
                host,
                basePort,
                strictPorts,
                models,
                profile,
                seed,
                dialect,
                nameFilter,
                controlPort,
                kind,
                on,
                sglangMetrics,
                kvEvents,
                videoMillis);
    }

    public EngineFleetOptions withSglangMetrics(boolean on) {
        return new EngineFleetOptions(
                count,
                host,
                basePort,
                strictPorts,
                models,
                profile,
                seed,
                dialect,
                nameFilter,
                controlPort,
                kind,
                promptDetails,
                on,
                kvEvents,
                videoMillis);
    }

    public EngineFleetOptions withKvEvents(@Nullable KvEventOptions events) {
        return new EngineFleetOptions(
                count,
                host,
                basePort,
                strictPorts,
                models,
                profile,
                seed,
                dialect,
                nameFilter,
                controlPort,
                kind,
                promptDetails,
                sglangMetrics,
                events,
                videoMillis);
    }

    public EngineFleetOptions withVideoMillis(long millis) {
        return new EngineFleetOptions(
                count,
                host,
                basePort,
                strictPorts,
                models,
                profile,
                seed,
                dialect,
                nameFilter,
                controlPort,
                kind,
                promptDetails,
                sglangMetrics,
                kvEvents,
                millis);
    }

    private static void require(boolean condition, String key, String expected, int value) {
        if (!condition) {
            throw new IllegalArgumentException(key + ": expected " + expected + ", got " + value);
        }
    }
}
