package dev.penstock.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.FreePorts;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoadGeneratorTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        vertx.close().await();
    }

    @Test
    void countsCompleteStreams() throws Exception {
        LaneReport report = run(openLoop(server(StreamServer::answer))).routed();

        assertThat(report.errors()).isEmpty();
        assertThat(report.ok()).isEqualTo(report.sent()).isGreaterThan(50);
        assertThat(report.perReplica()).isEqualTo(Map.of("engine-0", report.ok()));
        assertThat(report.statuses()).isEqualTo(Map.of(200, report.ok()));
        assertThat(report.ttftMs().p50())
                .isPositive()
                .isLessThanOrEqualTo(report.latencyMs().p50());
        assertThat(report.interTokenMs().p50()).isNotNaN();
    }

    @Test
    void firstTokenIsTheFirstTextAndNotTheRole() throws Exception {
        String url = server(request -> {
            HttpServerResponse response = StreamServer.begin(request);
            vertx.setTimer(150, id -> response.end(StreamServer.token("a") + StreamServer.DONE));
        });

        LaneReport report = run(openLoop(url)).routed();

        assertThat(report.ttftMs().p50()).isGreaterThan(140);
    }

    @Test
    void errorEventIsAnError() throws Exception {
        String url = server(request -> StreamServer.begin(request)
                .end(StreamServer.token("a")
                        + StreamServer.event("{\"error\":{\"message\":\"x\"}}")
                        + StreamServer.DONE));

        assertOnlyError(run(openLoop(url)).routed(), "in_stream_error");
    }

    @Test
    void cutStreamIsAReset() throws Exception {
        String url = server(request -> StreamServer.begin(request)
                .write(StreamServer.token("a"))
                .onComplete(written -> request.connection().close()));

        assertOnlyError(run(openLoop(url)).routed(), "reset");
    }

    @Test
    void cleanEndWithoutDoneIsIncomplete() throws Exception {
        String url = server(request -> StreamServer.begin(request).end(StreamServer.token("a")));

        assertOnlyError(run(openLoop(url)).routed(), "incomplete");
    }

    @Test
    void otherStatusIsCountedByItsNumber() throws Exception {
        LaneReport report = run(openLoop(
                        server(request -> request.response().setStatusCode(503).end("{\"error\":{}}"))))
                .routed();

        assertOnlyError(report, "status_503");
        assertThat(report.statuses()).isEqualTo(Map.of(503, report.sent()));
    }

    @Test
    void refusedConnectionGoesToTheNextRouter() throws Exception {
        LaneReport report =
                run(openLoop(refusing(), server(StreamServer::answer))).routed();

        assertThat(report.errors()).isEmpty();
        assertThat(report.ok()).isEqualTo(report.sent()).isPositive();
    }

    @Test
    void allRoutersRefusingIsAConnectError() throws Exception {
        assertOnlyError(run(openLoop(refusing(), refusing())).routed(), "connect");
    }

    @Test
    void silenceIsATimeout() throws Exception {
        LoadPlan plan = plan(List.of(server(StreamServer::begin)), List.of(), 100, 10_000, Duration.ofMillis(200));

        assertOnlyError(run(plan).routed(), "timeout");
    }

    @Test
    void arrivalsAboveTheBoundAreOverruns() throws Exception {
        LoadPlan plan = plan(List.of(server(StreamServer::begin)), List.of(), 200, 5, Duration.ofSeconds(1));

        LaneReport report = run(plan).routed();

        assertThat(report.errors()).containsOnlyKeys("timeout", "overrun").containsEntry("timeout", 5L);
        assertThat(report.errors().get("overrun")).isEqualTo(report.sent() - 5);
    }

    /**
     * The server answers nothing in its first 600 ms, then all at once. A generator that waited for it would have seen
     * one slow answer; of the schedule, whatever was due in that time was late. The load lasts 1 s, so about 60 % of all
     * arrivals are, evenly from 600 ms down to 0: the p50 is 600 - 500 = 100 ms, the p90 500 ms. Margins are 70 ms for
     * chance (500 arrivals: sigma of the p50 is 22 ms), none upwards for a slow machine.
     */
    @Test
    void stallIsCountedFromTheSchedule() throws Exception {
        List<HttpServerRequest> held = new ArrayList<>();
        boolean[] open = {false};
        String url = server(request -> {
            if (open[0]) {
                StreamServer.answer(request);
                return;
            }
            if (held.isEmpty()) {
                vertx.setTimer(600, id -> {
                    open[0] = true;
                    held.forEach(StreamServer::answer);
                });
            }
            held.add(request);
        });

        LaneReport report = run(plan(List.of(url), List.of(), 500, 10_000, TIMEOUT, Duration.ofSeconds(1)))
                .routed();

        assertThat(report.errors()).isEmpty();
        assertThat(report.sent()).isBetween(400L, 600L);
        assertThat(report.latencyMs().p50()).isGreaterThan(30);
        assertThat(report.latencyMs().p90()).isGreaterThan(430);
        assertThat(report.ttftMs().p90()).isGreaterThan(430);
    }

    @Test
    void sameSeedSendsAsMany() throws Exception {
        String url = server(StreamServer::answer);

        assertThat(run(openLoop(url)).routed().sent())
                .isEqualTo(run(openLoop(url)).routed().sent());
    }

    @Test
    void closedLoopKeepsItsWorkersBusyAndNoMore() throws Exception {
        AtomicInteger inflight = new AtomicInteger();
        AtomicInteger highWater = new AtomicInteger();
        String url = server(request -> {
            highWater.accumulateAndGet(inflight.incrementAndGet(), Math::max);
            vertx.setTimer(5, id -> {
                inflight.decrementAndGet();
                StreamServer.answer(request);
            });
        });

        LaneReport report = run(plan(List.of(url), List.of(), 0, 3, TIMEOUT)).routed();

        assertThat(report.errors()).isEmpty();
        assertThat(report.ok()).isEqualTo(report.sent()).isGreaterThan(6);
        assertThat(highWater).hasValue(3);
    }

    @Test
    void directLaneHasTheSameRateAndItsOwnCounts() throws Exception {
        AtomicInteger direct = new AtomicInteger();
        String engine = server(request -> {
            direct.incrementAndGet();
            StreamServer.answer(request);
        });
        LoadReport report = run(plan(List.of(server(StreamServer::answer)), List.of(engine), 100, 10_000, TIMEOUT));

        LaneReport lane = Objects.requireNonNull(report.direct());
        assertThat(lane.ok())
                .isEqualTo(direct.get())
                .isBetween(report.routed().sent() - 1, report.routed().sent());
        assertThat(report.failed()).isFalse();
    }

    private String server(Handler<HttpServerRequest> answer) {
        return new StreamServer(vertx, answer).url();
    }

    private static String refusing() {
        return "http://127.0.0.1:" + FreePorts.one();
    }

    private static LoadPlan openLoop(String... urls) {
        return plan(List.of(urls), List.of(), 200, LoadPlan.MAX_OUTSTANDING, TIMEOUT);
    }

    private static LoadPlan plan(
            List<String> urls, List<String> direct, double rps, int concurrency, Duration timeout) {
        return plan(urls, direct, rps, concurrency, timeout, Duration.ofMillis(500));
    }

    private static LoadPlan plan(
            List<String> urls, List<String> direct, double rps, int concurrency, Duration timeout, Duration duration) {
        TokenCount tokens = new TokenCount(16, 32);
        return new LoadPlan(urls, direct, rps, concurrency, duration, "m", tokens, tokens, true, 1, timeout);
    }

    private LoadReport run(LoadPlan plan) throws Exception {
        return LoadGenerator.start(vertx, plan).report().get(30, TimeUnit.SECONDS);
    }

    private static void assertOnlyError(LaneReport report, String kind) {
        assertThat(report.sent()).isPositive();
        assertThat(report.errors()).isEqualTo(Map.of(kind, report.sent()));
        assertThat(report.ok()).isZero();
    }
}
