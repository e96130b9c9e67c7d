package dev.penstock.fleetsim;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Prompts that begin alike, over engines that keep what they have computed; one router is restarted. A larger fleet has as
 * many more users.
 */
final class PrefixScenario {
    static final String NAME = "prefix";

    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;
    private static final int ROUTERS = 4;
    /** Of what the fleet could do without caches: what they save is not counted. */
    private static final double LOAD = 0.95;

    private static final BatchProfile PROFILE = BatchProfile.LLAMA_8B_H100;
    private static final int CACHE_BLOCKS = PROFILE.kvTokens() / PromptBlocks.TOKENS;
    /** Production's default. */
    private static final long TTL_NANOS = 600 * SECOND;

    private static final int TABLE_BLOCKS = 1_000_000;

    /** Of the trace: caches fill in it. */
    private static final double WARM_SHARE = 0.3;
    /** Of the trace: when the first router is killed. */
    private static final double KILL_SHARE = 0.6;

    private static final long DOWN_NANOS = 2 * SECOND;
    /** The run ends earlier, with its last request. */
    private static final long WATCH_NANOS = 600 * SECOND;

    private static final int SMALL_REPLICAS = 16;
    private static final int SMALL_REQUESTS = 1_600;
    private static final int FULL_REQUESTS = 40_000;
    private static final long SEED = 5;

    private PrefixScenario() {}

    static Scenario generated() {
        return scenario("generated chats that share system prompts, at load 0.95", null, null);
    }

    /** @param speed or null for the speed at which the load is 0.6 */
    static Scenario of(Path trace, @Nullable Double speed) throws IOException {
        return scenario(
                String.format(
                        Locale.ROOT, "%s at %s", trace.getFileName(), speed == null ? "load 0.95" : speed + " times"),
                Recording.read(trace),
                speed);
    }

    private static Scenario scenario(String what, @Nullable Recording recording, @Nullable Double speed) {
        return new Scenario(
                NAME,
                what
                        + "; 64 and 200 replicas (small form: 16) of 8b-h100 that cache prompts, 4 routers, state 100"
                        + " ms old, one router restarted; the worst",
                full -> scenes(recording, speed, full),
                List.of(
                        Figure.HIT_RATIO_OF_ORACLE,
                        Figure.MAX_OVER_MEAN_INFLIGHT,
                        Figure.RESTART_DIP_SECONDS,
                        Figure.TTFT_P50_GAIN_OVER_LEAST_REQUEST_PCT),
                List.of(Policy.LEAST_REQUEST, Policy.HASH_ONLY, Policy.COLD_RESTART, Policy.PREFIX_ORACLE),
                List.of(
                        new Scenario.Limit(Figure.HIT_RATIO_OF_ORACLE, 0.95, List.of(Policy.LEAST_REQUEST)),
                        new Scenario.Limit(Figure.MAX_OVER_MEAN_INFLIGHT, 1.3, List.of(Policy.HASH_ONLY)),
                        new Scenario.Limit(Figure.RESTART_DIP_SECONDS, 5, List.of(Policy.COLD_RESTART)),
                        new Scenario.Limit(
                                Figure.TTFT_P50_GAIN_OVER_LEAST_REQUEST_PCT, 20, List.of(Policy.LEAST_REQUEST))));
    }

    private static List<Scene> scenes(@Nullable Recording given, @Nullable Double speed, boolean full) {
        List<Scene> scenes = new ArrayList<>();
        for (int replicas : full ? new int[] {64, 200} : new int[] {SMALL_REPLICAS}) {
            int users = Math.max(1, Math.round((float) replicas / 64));
            Recording recording = given != null
                    ? given.times(users)
                    : SharedPrefixes.generated(users * (full ? FULL_REQUESTS : SMALL_REQUESTS), users, SEED);
            scenes.add(scene(recording, replicas, speed == null ? recording.speedFor(LOAD, replicas, PROFILE) : speed));
        }
        return scenes;
    }

    private static Scene scene(Recording recording, int replicas, double speed) {
        long spanNanos = (long) (recording.spanNanos() / speed) + SECOND;
        long warmNanos = (long) (spanNanos * WARM_SHARE);
        return new Scene(
                replicas,
                new EngineModel.Batch(PROFILE, CACHE_BLOCKS),
                ROUTERS,
                new Workload.Replay(recording, speed),
                Scene.aged(100 * MILLI),
                new Scene.Span(warmNanos, spanNanos - warmNanos, WATCH_NANOS),
                null,
                null,
                null,
                List.of(),
                new Scene.Prefixes(TABLE_BLOCKS, TTL_NANOS, (long) (spanNanos * KILL_SHARE), DOWN_NANOS));
    }
}
