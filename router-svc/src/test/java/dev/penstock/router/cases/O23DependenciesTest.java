package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.infra.TcpFaultProxy;
import dev.penstock.testkit.raw.RawClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Redis or Kafka may freeze, refuse or be slow: no request waits for them, and routers find them again by themselves. */
@ExtendWith(CaseExtension.class)
class O23DependenciesTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final Duration BACK = Duration.ofSeconds(10);
    private static final int REQUESTS = 200;
    private static final int CLIENTS = 4;

    private final RouterScene scene;
    private final TcpFaultProxy redis;
    private final TcpFaultProxy kafka;

    O23DependenciesTest(RouterScene scene) {
        this.scene = scene;
        this.redis = scene.infra().infra().redisProxy();
        this.kafka = scene.infra().infra().kafkaProxy();
    }

    @AfterEach
    void mend() {
        redis.pass();
        kafka.pass();
        Await.until("Redis tells pins again", BACK, () -> scene.metric("penstock_router_pins_connected") == 1);
        Await.until("telemetry comes again", Duration.ofSeconds(20), () -> viewAgeMillis() < 500);
    }

    @Test
    void a_redis_that_freezes_is_not_waited_for() throws Exception {
        keeps_serving_while(redis::freeze);
    }

    @Test
    void a_redis_that_refuses_is_not_waited_for() throws Exception {
        keeps_serving_while(redis::refuse);
    }

    @Test
    void a_slow_redis_is_not_waited_for() throws Exception {
        keeps_serving_while(() -> redis.delay(Duration.ofMillis(300)));
    }

    @Test
    void a_kafka_that_goes_away_leaves_routers_ready_with_a_view_that_ages() throws Exception {
        try (Fleet fleet = scene.fleet(2)) {
            kafka.refuse();
            Await.until("the view ages", SOON, () -> viewAgeMillis() > 1_000);

            serves(fleet);

            assertThat(scene.operations("/readyz").statusCode()).isEqualTo(200);
            assertThat(fleet.u(1).log().count()).isPositive();
            assertThat(fleet.u(2).log().count()).isPositive();
            kafka.pass();
            Await.until("telemetry comes again", Duration.ofSeconds(20), () -> viewAgeMillis() < 500);
        }
    }

    private void keeps_serving_while(Runnable fault) throws Exception {
        try (Fleet fleet = scene.fleet(2);
                LogTap log = LogTap.open()) {
            fault.run();

            serves(fleet);

            assertThat(scene.operations("/readyz").statusCode()).isEqualTo(200);
            assertThat(log.warnings()).as("a line per change, not per request").hasSizeLessThan(10);
            assertThat(log.lines()).noneMatch(line -> line.contains("has been blocked"));
        }
    }

    /** Each request of another session, so that there is something to tell. */
    private void serves(Fleet fleet) throws Exception {
        List<Long> nanos = new ArrayList<>();
        Together.run(CLIENTS, CLIENTS, client -> () -> {
                    List<Long> own = new ArrayList<>();
                    try (RawClient raw = RawClient.connect(scene.port())) {
                        for (int i = 1; i <= REQUESTS / CLIENTS; i++) {
                            long start = System.nanoTime();
                            raw.send(Requests.plain(fleet, "X-Session-Id: s-" + client + "-" + i));
                            assertThat(raw.awaitAnswers(i, SOON).statuses().getLast())
                                    .isEqualTo(200);
                            own.add(System.nanoTime() - start);
                        }
                    }
                    return own;
                })
                .forEach(nanos::addAll);
        nanos.sort(null);
        // A request that waited for Redis or Kafka would take as long as they do: 300 ms at least.
        assertThat(nanos.get(nanos.size() * 9 / 10)).isLessThan(200_000_000);
    }

    private long viewAgeMillis() {
        return scene.view().path("viewAgeMs").asLong();
    }
}
