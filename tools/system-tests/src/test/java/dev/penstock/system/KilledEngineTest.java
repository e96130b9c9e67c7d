package dev.penstock.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.system.OpenLoad.Result;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.ChildJvm;
import dev.penstock.testkit.FreePorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An engine killed under load takes down what it was working on, and nothing else; restarted, it gets its share again. */
class KilledEngineTest {
    private static final int PER_SECOND = 60;
    private static final long SECOND_NANOS = 1_000_000_000L;
    private static final Duration SOON = Duration.ofSeconds(15);

    @TempDir
    static Path data;

    private static int killedPort;
    private static int survivorPort;
    private static ChildJvm killed;
    private static ChildJvm survivor;
    private static Suite suite;

    @BeforeAll
    static void up() throws Exception {
        List<Integer> ports = FreePorts.take(2);
        killedPort = ports.get(0);
        survivorPort = ports.get(1);
        killed = Suite.startEngine(killedPort, Suite.MODEL);
        survivor = Suite.startEngine(survivorPort, Suite.MODEL);
        suite = Suite.start(
                data,
                1,
                2,
                "--engine",
                "http://127.0.0.1:" + killedPort,
                "--engine",
                "http://127.0.0.1:" + survivorPort);
    }

    @AfterAll
    static void down() throws Exception {
        Suite.close(suite, killed, survivor);
    }

    @Test
    void a_kill_under_load_fails_only_what_was_in_flight_and_a_restart_brings_the_engine_back() throws Exception {
        OpenLoad load = new OpenLoad(suite.routerPorts().getFirst(), PER_SECOND);
        long beforeKillNanos;
        long afterKillNanos;
        long restartNanos;
        try (load) {
            awaitMany(load, "both serve", 2 * PER_SECOND, result -> true);
            assertThat(load.results()).extracting(Result::replica).contains("engine-0", "engine-1");

            beforeKillNanos = System.nanoTime();
            killed.kill9();
            afterKillNanos = System.nanoTime();
            long settledNanos = afterKillNanos + SECOND_NANOS;
            awaitMany(load, "a second later", PER_SECOND, result -> result.startedNanos() > settledNanos);

            restartNanos = System.nanoTime();
            killed = Suite.startEngine(killedPort, Suite.MODEL);
            Suite.awaitReady(killed);
            awaitMany(
                    load,
                    "the restarted one serves",
                    PER_SECOND / 2,
                    result -> result.startedNanos() > restartNanos && "engine-0".equals(result.replica()));
        }

        List<Result> results = load.results();
        Predicate<Result> inFlightAtKill =
                result -> result.startedNanos() <= afterKillNanos && result.endedNanos() >= beforeKillNanos;
        assertThat(results).as("in flight at the kill").anyMatch(inFlightAtKill);
        assertThat(results.stream().filter(inFlightAtKill.negate())).allMatch(Result::served);
        assertThat(results.stream()
                        .filter(result -> result.endedNanos() > afterKillNanos + SECOND_NANOS)
                        .filter(result -> result.startedNanos() < restartNanos))
                .noneMatch(result -> "engine-0".equals(result.replica()));
        var survived = Suite.engineState(survivorPort);
        assertThat(survived.getInteger("cancelled") + survived.getInteger("cut") + survived.getInteger("rejected"))
                .as("what the survivor did not finish")
                .isZero();
    }

    private static void awaitMany(OpenLoad load, String description, int count, Predicate<Result> wanted) {
        Await.until(
                description, SOON, () -> load.results().stream().filter(wanted).count() >= count);
    }
}
