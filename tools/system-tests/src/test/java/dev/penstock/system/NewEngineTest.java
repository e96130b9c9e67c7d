package dev.penstock.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.RawHttp;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four engines under load at two routers, and a fifth that joins by an edit of the replica file: with slow start it grows into
 * its share, without it is sent what comes until it has as much as the others. Answers take about two seconds, so that an
 * engine has some 30 requests in flight, and a tenth of that is far from all of it.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class NewEngineTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration BURST = Duration.ofSeconds(3);
    private static final int ESTABLISHED = 4;
    private static final String NEW = "engine-4";
    private static final int PER_SECOND_AND_ROUTER = 30;
    private static final int TOKENS = 220;
    /** Of all routers and engines: most of what there is when no answer takes longer than it should. */
    private static final int LOADED = 88;

    private static final long MARGIN_SECONDS = 3;
    private static final long COMPARED_SECONDS = 4;
    private static final long SECOND = 1_000_000_000L;
    private static final long WINDOW = 8 * SECOND;

    /** As configured. */
    private static final String SLOW_START = "8s";

    @TempDir
    static Path data;

    private static Suite suite;
    /** What lists the new engine in the replica file. */
    private static String newLine = "";

    /** How much the new engine and the mean of the others had in flight, at all routers together. */
    private record Level(int joined, double others) {}

    /**
     * @param starting the routers had it start slowly
     * @param peak the most in flight there in the first second
     */
    private record Join(long atNanos, boolean starting, int peak, double othersBefore) {
        /** What it must stay below to have had no burst. */
        double burst() {
            return othersBefore / 2 + 2;
        }
    }

    @BeforeAll
    static void up() throws Exception {
        configure(SLOW_START, "load-balance", "");
        suite = Suite.start(
                data,
                2,
                ESTABLISHED + 1,
                "--engines",
                "" + (ESTABLISHED + 1),
                "--profile",
                "8b-h100",
                "--config",
                config().toString());
    }

    @AfterAll
    static void down() throws Exception {
        Suite.close(suite);
    }

    @Test
    @Order(1)
    void with_slow_start_a_new_engine_gets_no_burst_and_grows_into_its_share() throws Exception {
        leave();
        Join join;
        OpenLoad first = load(0);
        OpenLoad second = load(1);
        try (first;
                second) {
            awaitLoaded();
            join = join();
            Await.until("decisions name slow start", SOON, () -> causes().contains("slowStart"));
            long until = join.atNanos() + WINDOW + (MARGIN_SECONDS + COMPARED_SECONDS) * SECOND;
            Await.until("the window and what is compared with", SOON, () -> System.nanoTime() - until > 0);
        }
        List<OpenLoad.Result> results = Stream.concat(first.results().stream(), second.results().stream())
                .toList();

        assertThat(results).allMatch(OpenLoad.Result::served);
        assertThat((double) join.peak()).as("%s", join).isLessThan(join.burst());
        assertThat(join.starting()).isTrue();
        long atFirst = started(results, join, 0, WINDOW / 3, NEW::equals);
        long atLast = started(results, join, 2 * WINDOW / 3, WINDOW, NEW::equals);
        assertThat(atFirst).isPositive();
        assertThat(atLast).as("after %s at first", atFirst).isGreaterThan(atFirst);
        long from = WINDOW + MARGIN_SECONDS * SECOND;
        long to = from + COMPARED_SECONDS * SECOND;
        long there = started(results, join, from, to, NEW::equals);
        long others = started(results, join, from, to, name -> !NEW.equals(name));
        assertThat(there).as("of %s at the others", others).isGreaterThanOrEqualTo(others * 60 / 100 / ESTABLISHED);
    }

    @Test
    @Order(2)
    void without_slow_start_it_gets_the_burst() throws Exception {
        leave();
        configure("0s", "load-balance", "without-slow-start");
        for (int port : suite.routerPorts()) Await.until("the policy is in force", SOON, () -> knows(port));
        try (OpenLoad first = load(0);
                OpenLoad second = load(1)) {
            awaitLoaded();

            Join join = join();

            assertThat(join.starting()).isFalse();
            // Within the second, unless the machine has other things to do.
            Await.until("the burst", BURST, () -> join.peak() > join.burst() || level().joined() > join.burst());
        }
    }

    private static OpenLoad load(int router) {
        return OpenLoad.whole(suite.routerPorts().get(router), PER_SECOND_AND_ROUTER, TOKENS);
    }

    /** The others are no longer new, and have what they will have. */
    private static void awaitLoaded() {
        Await.until("established", SOON, () -> rows().noneMatch(row -> row.getBoolean("slowStart")));
        Await.until("loaded", SOON, () -> level().others() * ESTABLISHED > LOADED);
    }

    /** The new engine joins; returns a second after a router could first send there. */
    private static Join join() throws IOException {
        String file = Files.readString(replicaFile());
        double othersBefore = level().others();
        Files.writeString(replicaFile(), file + "\n" + newLine);
        Await.until("it is a candidate", SOON, () -> rows().anyMatch(row -> isNew(row) && row.getBoolean("candidate")));
        long atNanos = System.nanoTime();
        boolean starting = rows().filter(NewEngineTest::isNew).anyMatch(row -> row.getBoolean("slowStart"));
        int[] peak = new int[1];
        Await.until("a second has passed", SOON, () -> {
            peak[0] = Math.max(peak[0], level().joined());
            return System.nanoTime() - atNanos > SECOND;
        });
        return new Join(atNanos, starting, peak[0], othersBefore);
    }

    /** What a decision's bias against the new engine is made of. */
    private static List<Object> causes() {
        try {
            int port = suite.routerPorts().getFirst();
            JsonObject decision =
                    Suite.decision(port, RawHttp.exchange(port, Suite.chat(false, 1), Suite.ANSWER_TIMEOUT));
            return decision.getJsonArray("candidates").stream()
                    .map(JsonObject.class::cast)
                    .filter(each -> each.getString("replica").equals(NEW))
                    .flatMap(each -> each.getJsonArray("biasCauses").stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void leave() throws IOException {
        List<String> lines = Files.readAllLines(replicaFile());
        newLine = lines.stream().filter(line -> line.contains(NEW)).findFirst().orElseThrow();
        Files.writeString(
                replicaFile(),
                lines.stream()
                        .filter(line -> !line.contains(NEW) && !line.isBlank())
                        .collect(Collectors.joining("\n")));
        Await.until("it has left", SOON, () -> rows().noneMatch(NewEngineTest::isNew));
    }

    private static long started(
            List<OpenLoad.Result> results, Join join, long fromNanos, long toNanos, Predicate<String> replica) {
        return results.stream()
                .filter(each -> each.startedNanos() - join.atNanos() >= fromNanos)
                .filter(each -> each.startedNanos() - join.atNanos() < toNanos)
                .filter(each -> replica.test(each.replica()))
                .count();
    }

    private static Level level() {
        int joined = 0;
        int others = 0;
        for (JsonObject row : rows().toList()) {
            if (isNew(row)) joined += row.getInteger("own");
            else others += row.getInteger("own");
        }
        return new Level(joined, (double) others / ESTABLISHED);
    }

    private static boolean isNew(JsonObject row) {
        return row.getString("name").equals(NEW);
    }

    /** Of all routers' views. */
    private static Stream<JsonObject> rows() {
        return suite.routerPorts().stream().flatMap(port -> Suite.replicas(port).stream());
    }

    /** A name that came with the policy is answered. */
    private static boolean knows(int port) {
        try {
            String request = Suite.chat(false, 1).replace(Suite.MODEL, "without-slow-start");
            request = request.replaceAll(
                    "content-length: [0-9]+",
                    "content-length: " + request.substring(request.indexOf('{')).length());
            return RawHttp.exchange(port, request, Suite.ANSWER_TIMEOUT).status() == 200;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void configure(String slowStart, String strategy, String alias) throws IOException {
        Files.writeString(
                config(),
                "models:\n  - {name: " + Suite.MODEL + ", aliases: [" + alias + "], strategy: " + strategy
                        + ", slowStart: " + slowStart + "}\n");
    }

    private static Path config() {
        return data.resolve("penstock.yaml");
    }

    private static Path replicaFile() {
        return data.resolve("replicas.yaml");
    }
}
