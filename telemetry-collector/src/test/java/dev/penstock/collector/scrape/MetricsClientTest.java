package dev.penstock.collector.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.collector.FakeEngine;
import dev.penstock.collector.http.BoundedGet;
import dev.penstock.model.EngineKind;
import dev.penstock.model.PoolId;
import dev.penstock.model.Replica;
import dev.penstock.testkit.FreePorts;
import dev.penstock.testkit.ManualClock;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetricsClientTest {
    private static final Duration LIMIT = Duration.ofMillis(500);
    /** For an engine that answers: the machine may be busy. */
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    private final Vertx vertx = Vertx.vertx();
    private final ManualClock clock = new ManualClock();
    private final MetricsClient client = new MetricsClient(new BoundedGet(vertx), clock);
    private final VllmDialect dialect = new VllmDialect();
    private final Context context = vertx.getOrCreateContext();
    private FakeEngine engine;

    @BeforeEach
    void open() throws Exception {
        engine = new FakeEngine(vertx, "m");
    }

    @AfterEach
    void close() throws Exception {
        join(vertx.close());
    }

    @Test
    void the_filtered_page_is_enough() throws Exception {
        ScrapeTarget target = target(engine.url());

        assertThat(scrape(target))
                .isEqualTo(new PageResult.Read(new Reading(2, 1, 500_000, 101, false, false), false, 0));
        assertThat(engine.asked).containsExactly("/metrics/");
    }

    @Test
    void without_a_filter_the_full_page_is_asked_for_until_the_filter_is_tried_again() throws Exception {
        ScrapeTarget target = target(engine.url());
        engine.mode = FakeEngine.Mode.NO_FILTER;

        assertThat(scrape(target)).isInstanceOfSatisfying(PageResult.Read.class, read -> assertThat(read.fullPage())
                .isTrue());
        scrape(target);
        engine.mode = FakeEngine.Mode.WELL;
        clock.advance(Duration.ofSeconds(60));
        scrape(target);
        scrape(target);

        assertThat(engine.asked).containsExactly("/metrics/", "/metrics", "/metrics", "/metrics/", "/metrics/");
    }

    @ParameterizedTest
    @CsvSource({
        "HUGE, body over 4194304 bytes",
        "HUNG, no whole answer in 500 ms",
        "CUT, onnection",
        "HTML, no known family on the page",
        "BROKEN, status 500",
        "GZIP, no known family on the page",
        "NOT_FOUND, status 404",
        "NO_CONTENT, status 204"
    })
    void what_cannot_be_trusted_is_a_failure(FakeEngine.Mode mode, String reason) throws Exception {
        engine.mode = mode;
        ScrapeTarget target = target(engine.url());

        assertThat(scrape(target)).isInstanceOfSatisfying(PageResult.Failed.class, failed -> assertThat(failed.reason())
                .contains(reason));

        engine.mode = FakeEngine.Mode.WELL;
        assertThat(scrape(target)).isInstanceOf(PageResult.Read.class);
    }

    @Test
    void nobody_there_is_a_failure() throws Exception {
        assertThat(scrape(target("http://127.0.0.1:" + FreePorts.one()))).isInstanceOf(PageResult.Failed.class);
    }

    private PageResult scrape(ScrapeTarget target) throws Exception {
        Promise<PageResult> done = Promise.promise();
        Duration limit = engine.mode == FakeEngine.Mode.HUNG ? LIMIT : PATIENCE;
        context.runOnContext(go -> client.scrape(target, dialect, limit).onComplete(done));
        return join(done.future());
    }

    private static ScrapeTarget target(String url) {
        Replica replica = new Replica(
                "a",
                1,
                "u",
                url,
                null,
                List.of("m"),
                EngineKind.VLLM,
                null,
                PoolId.localFor("m"),
                null,
                null,
                0,
                Map.of());
        return new ScrapeTarget(replica, new VllmDialect(), 0);
    }

    private static <T> T join(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
}
