package dev.penstock.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.ChildJvm;
import dev.penstock.testkit.FreePorts;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stopped engine's signal is believed less and then not at all; an engine with nothing to do is believed throughout. */
class FreshnessTest {
    private static final int PER_SECOND = 60;
    private static final Duration SOON = Duration.ofSeconds(15);
    private static final int IDLE_INTERVAL_MILLIS = 1_000;
    private static final long WATCHED_NANOS = 3_000_000_000L;

    private static final String STOPPED = "engine-0";
    private static final String BUSY = "engine-1";
    private static final String IDLE = "engine-2";

    @TempDir
    static Path data;

    private static final List<ChildJvm> engines = new ArrayList<>();
    private static Suite suite;

    /** What the router's view said of the idle engine, look by look. */
    private record Look(String freshness, int ageMillis, int intervalMillis) {}

    private final List<Look> idleLooks = new ArrayList<>();

    @BeforeAll
    static void up() throws Exception {
        List<String> args = new ArrayList<>();
        // Nobody asks for the last one's model: it stays idle however much load there is.
        List<String> models = List.of(Suite.MODEL, Suite.MODEL, "sim/idle");
        List<Integer> ports = FreePorts.take(models.size());
        for (int i = 0; i < models.size(); i++) {
            engines.add(Suite.startEngine(ports.get(i), models.get(i)));
            args.addAll(List.of("--engine", "http://127.0.0.1:" + ports.get(i)));
        }
        suite = Suite.start(data, 1, 3, args.toArray(String[]::new));
    }

    @AfterAll
    static void down() throws Exception {
        Suite.close(suite);
        engines.forEach(ChildJvm::close);
    }

    @Test
    void a_stopped_engine_turns_stale_then_missing_and_fresh_again_and_an_idle_one_stays_fresh() {
        ChildJvm stopped = engines.getFirst();
        try (OpenLoad load = new OpenLoad(suite.routerPorts().getFirst(), PER_SECOND)) {
            Await.until("load", SOON, () -> load.results().size() > PER_SECOND);
            // A new engine is scraped as one under load for its first seconds, and its signal stays fresh for 150 ms
            // then: a busy machine pauses longer than that. From here on it may be 3 s old.
            Await.until("the idle one is known to be idle", SOON, () -> {
                look();
                return idleLooks.getLast().intervalMillis() >= IDLE_INTERVAL_MILLIS;
            });
            idleLooks.clear();
            long startNanos = System.nanoTime();
            Await.until("all looked at for 3 s", SOON, () -> {
                look();
                return System.nanoTime() - startNanos > WATCHED_NANOS;
            });
            Await.until("fresh", SOON, () -> look().get(STOPPED).equals("FRESH"));

            LinkedHashSet<String> seen = new LinkedHashSet<>();
            stopped.sigstop();
            try {
                Await.until("missing", SOON, () -> {
                    Map<String, String> freshness = look();
                    seen.add(freshness.get(STOPPED));
                    return seen.contains("MISSING") && freshness.get(BUSY).equals("FRESH");
                });
            } finally {
                stopped.sigcont();
            }
            seen.remove("FRESH");
            assertThat(seen).containsExactly("STALE", "MISSING");
            Await.until("fresh again", SOON, () -> look().get(STOPPED).equals("FRESH"));
        }
        assertThat(idleLooks).hasSizeGreaterThan(50).allMatch(look -> look.freshness()
                .equals("FRESH"));
    }

    private Map<String, String> look() {
        List<JsonObject> replicas = Suite.replicas(suite.routerPorts().getFirst());
        for (JsonObject replica : replicas) {
            if (!replica.getString("name").equals(IDLE)) continue;
            idleLooks.add(new Look(
                    replica.getString("freshness"), replica.getInteger("ageMs"), replica.getInteger("intervalMs")));
        }
        return replicas.stream()
                .collect(Collectors.toMap(
                        replica -> replica.getString("name"), replica -> replica.getString("freshness")));
    }
}
