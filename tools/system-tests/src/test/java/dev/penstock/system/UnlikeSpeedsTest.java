package dev.penstock.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Engines of two speeds in one pool: the slow ones get half of what the fast ones get, and nobody is starved. */
class UnlikeSpeedsTest {
    private static final Duration LEARNED = Duration.ofSeconds(40);
    private static final long COMPARED_NANOS = 8_000_000_000L;
    private static final int PER_SECOND_AND_ROUTER = 25;
    private static final int TOKENS = 200;
    private static final List<String> FAST = List.of("engine-0", "engine-1");
    private static final List<String> SLOW = List.of("engine-2", "engine-3");

    @TempDir
    Path data;

    @Test
    void capacity_is_learned_and_work_follows_it() throws Exception {
        try (Suite suite = Suite.start(data, 2, 4, "--profile", "fast:2,slow:2")) {
            OpenLoad first = OpenLoad.whole(suite.routerPorts().get(0), PER_SECOND_AND_ROUTER, TOKENS);
            OpenLoad second = OpenLoad.whole(suite.routerPorts().get(1), PER_SECOND_AND_ROUTER, TOKENS);
            long from;
            try (first;
                    second) {
                Await.until("capacity is learned", LEARNED, () -> learned(suite));
                from = System.nanoTime();
                Await.until("what is compared", LEARNED, () -> System.nanoTime() - from > COMPARED_NANOS);
            }
            List<OpenLoad.Result> results = Stream.concat(first.results().stream(), second.results().stream())
                    .toList();

            assertThat(results).allMatch(OpenLoad.Result::served);
            long fast = sent(results, from, FAST);
            long slow = sent(results, from, SLOW);
            assertThat((double) fast / slow).as("%d to %d", fast, slow).isBetween(1.5, 2.6);
        }
    }

    private static boolean learned(Suite suite) {
        try {
            return suite.status().getJsonArray("replicas").stream()
                    .map(io.vertx.core.json.JsonObject.class::cast)
                    .allMatch(row -> row.getDouble("capacity", 0.0) > 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long sent(List<OpenLoad.Result> results, long fromNanos, List<String> replicas) {
        return results.stream()
                .filter(each -> each.startedNanos() - fromNanos > 0 && replicas.contains(each.replica()))
                .count();
    }
}
