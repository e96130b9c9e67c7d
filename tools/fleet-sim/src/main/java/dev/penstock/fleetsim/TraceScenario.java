package dev.penstock.fleetsim;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A trace over a fleet of batching engines, much faster than it was.
 *
 * <p>The generated one has long prompts of very different lengths, which is where routing matters: an engine's KV cache then
 * holds some 40 requests, and a few large ones too many have others wait. With short prompts (Azure's: 1,155 tokens) equal
 * engines hold 300, and even the oracle's p99 of latency is just 1 to 3 % under round robin's: the bar of 10 % is out of reach
 * there.
 */
final class TraceScenario {
    private static final long MILLI = 1_000_000L;
    private static final int REPLICAS = 64;
    private static final int ROUTERS = 4;
    private static final double LOAD = 0.8;
    private static final BatchProfile PROFILE = BatchProfile.LLAMA_8B_H100;

    /** Of the trace; what comes in it meets a fleet that is filling. */
    private static final double WARM_SHARE = 0.25;
    /** The run ends earlier, with its last request. */
    private static final long WATCH_NANOS = 600_000 * MILLI;

    private static final int SMALL_REQUESTS = 5_000;
    private static final int FULL_REQUESTS = 30_000;

    private TraceScenario() {}

    static Scenario generated() {
        return scenario("a generated trace with lengths such as Mooncake's conversations at load 0.8", full -> {
            Recording recording = Recording.generated(full ? FULL_REQUESTS : SMALL_REQUESTS);
            return scenes(recording, recording.speedFor(LOAD, REPLICAS, PROFILE));
        });
    }

    /** @param speed or null for the speed at which the load is 0.8 */
    static Scenario of(Path trace, @Nullable Double speed) throws IOException {
        Recording recording = Recording.read(trace);
        double usual = recording.speedFor(LOAD, REPLICAS, PROFILE);
        double chosen = speed == null ? usual : speed;
        return scenario(
                String.format(
                        Locale.ROOT,
                        "%s (%d requests) at %.4g times its speed, load %.2f",
                        trace.getFileName(),
                        recording.size(),
                        chosen,
                        LOAD * chosen / usual),
                full -> scenes(recording, chosen));
    }

    private static Scenario scenario(String what, Scenario.Scenes scenes) {
        return new Scenario(
                "trace",
                what + "; " + REPLICAS + " replicas of 8b-h100, " + ROUTERS + " routers, state 100 ms old",
                scenes,
                List.of(Figure.TTFT_P99_RATIO_TO_ORACLE, Figure.P99_GAIN_OVER_ROUND_ROBIN_PCT),
                List.of(Policy.ROUND_ROBIN, Policy.RANDOM, Policy.P2C_RAW, Policy.ORACLE),
                List.of(
                        new Scenario.Limit(
                                Figure.TTFT_P99_RATIO_TO_ORACLE,
                                1.1,
                                List.of(Policy.ROUND_ROBIN, Policy.RANDOM, Policy.P2C_RAW)),
                        new Scenario.Limit(
                                Figure.P99_GAIN_OVER_ROUND_ROBIN_PCT, 10, List.of(Policy.ROUND_ROBIN, Policy.RANDOM))));
    }

    private static List<Scene> scenes(Recording recording, double speed) {
        long spanNanos = (long) (recording.spanNanos() / speed) + 1000 * MILLI;
        long warmNanos = (long) (spanNanos * WARM_SHARE);
        return List.of(new Scene(
                REPLICAS,
                new EngineModel.Batch(PROFILE),
                ROUTERS,
                new Workload.Replay(recording, speed),
                Scene.aged(100 * MILLI),
                new Scene.Span(warmNanos, spanNanos - warmNanos, WATCH_NANOS),
                null,
                null,
                null,
                List.of()));
    }
}
