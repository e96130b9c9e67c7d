package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.RawHttp.Response;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.RawClient;
import dev.penstock.testkit.raw.SeenRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Work that an engine may have begun is not begun again behind the client's back. */
@ExtendWith(CaseExtension.class)
class O17OnceTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final String BUSY =
            "{\"error\":{\"message\":\"queue full\",\"type\":\"x\",\"param\":null,\"code\":503}}";

    private final RouterScene scene;

    O17OnceTest(RouterScene scene) {
        this.scene = scene;
    }

    @Test
    void a_refused_connect_is_tried_elsewhere() throws Exception {
        try (Fleet fleet = scene.fleet("org/retries", 2)) {
            fleet.u(1).die();
            Outcomes before = scene.outcomes();

            int sent = 0;
            while (scene.outcomes().since(before).of("connect_failure") == 0 && sent < 50) {
                assertThat(send(fleet).status()).isEqualTo(200);
                sent++;
            }

            assertThat(scene.outcomes().since(before).of("connect_failure")).isEqualTo(1);
            assertThat(fleet.u(2).log().count()).isEqualTo(sent);
            SeenRequest retried = fleet.u(2).log().last();
            assertThat(retried.values("x-request-id").getFirst()).endsWith("-a2");
        }
    }

    @Test
    void a_reset_of_a_fresh_connection_is_a_502() throws Exception {
        try (Fleet fleet = scene.fleet(2)) {
            fleet.plan(Plan.start().reset());

            OwnError error = OwnError.of(send(fleet));

            assertThat(error.status()).isEqualTo(502);
            assertThat(fleet.count()).isEqualTo(1);
        }
    }

    @Test
    void silence_beyond_the_first_byte_limit_is_a_504() throws Exception {
        try (Fleet fleet = scene.fleet(2)) {
            fleet.plan(Plan.start().hold());

            OwnError error = OwnError.of(send(fleet));

            assertThat(error.status()).isEqualTo(504);
            assertThat(fleet.count()).isEqualTo(1);
            Await.until(
                    "closed at the engine",
                    SOON,
                    () -> fleet.replicas().stream()
                                    .mapToInt(replica -> replica.log().peerClosed())
                                    .sum()
                            == 1);
            fleet.awaitIdle();
        }
    }

    @Test
    void an_engines_failure_is_relayed() throws Exception {
        for (int status : List.of(500, 502, 504)) {
            try (Fleet fleet = scene.fleet(2)) {
                fleet.plan(
                        Plan.json(status, "{\"error\":{\"message\":\"m\",\"type\":\"t\",\"param\":null,\"code\":1}}"));

                Response answer = send(fleet);

                assertThat(answer.status()).isEqualTo(status);
                assertThat(answer.bodyText()).contains("\"message\":\"m\"");
                assertThat(fleet.count()).isEqualTo(1);
            }
        }
    }

    @Test
    void back_pressure_is_tried_elsewhere_once_with_the_same_body() throws Exception {
        for (int status : List.of(429, 503)) {
            try (Fleet fleet = scene.fleet("org/retries", 3)) {
                fleet.plan(Plan.answer(status, "application/json", BUSY, "Retry-After: 7"));

                Response answer = send(fleet);

                assertThat(answer.status()).isEqualTo(status);
                assertThat(answer.header("retry-after")).isEqualTo("7");
                assertThat(fleet.requests()).hasSize(2);
                assertThat(fleet.requests())
                        .extracting(SeenRequest::sha256)
                        .containsOnly(fleet.requests().getFirst().sha256());
                String id = String.valueOf(answer.header("x-request-id"));
                assertThat(fleet.requests())
                        .extracting(seen -> seen.values("x-request-id").getFirst())
                        .containsExactly(id + "-a1", id + "-a2");
                assertThat(fleet.quarantined()).isFalse();
            }
        }
    }

    @Test
    void back_pressure_at_one_is_no_matter_to_the_client() throws Exception {
        try (Fleet fleet = scene.fleet("org/retries", 2)) {
            fleet.u(1).plan(Plan.json(503, BUSY));

            int sent = 0;
            for (; fleet.u(1).log().count() < 3 && sent < 60; sent++) {
                assertThat(send(fleet).status()).isEqualTo(200);
            }

            assertThat(fleet.u(1).log().count()).isPositive();
            assertThat(fleet.u(2).log().count()).isEqualTo(sent);
        }
    }

    @Test
    void a_reset_is_tried_elsewhere_where_the_operator_allows_it() throws Exception {
        try (Fleet fleet = scene.fleet("org/opt-in", 3)) {
            fleet.plan(Plan.start().reset());

            assertThat(OwnError.of(send(fleet)).status()).isEqualTo(502);

            assertThat(fleet.count()).isEqualTo(3);
        }
    }

    @Test
    void a_job_is_sent_once_whatever_comes_of_it() throws Exception {
        for (Plan plan :
                List.of(Plan.json(503, BUSY), Plan.json(500, BUSY), Plan.start().reset())) {
            try (Fleet fleet = scene.fleet("org/opt-in", 2)) {
                fleet.plan(plan);
                byte[] body = Requests.plainBody(fleet.model()).getBytes(StandardCharsets.UTF_8);

                Response answer = RawClient.exchange(scene.port(), Requests.post("/v1/videos", body), SOON)
                        .answer();

                assertThat(answer.status()).isIn(500, 502, 503);
                assertThat(fleet.count()).isEqualTo(1);
            }
        }
    }

    @Test
    void a_deadline_holds_over_all_attempts() throws Exception {
        try (Fleet fleet = scene.fleet("org/deadline", 2)) {
            fleet.plan(Plan.start().waits(250).then(Plan.json(503, BUSY)));
            long start = System.nanoTime();

            Response answer = send(fleet);

            assertThat(System.nanoTime() - start).isBetween(290_000_000L, 490_000_000L);
            assertThat(OwnError.of(answer).status()).isEqualTo(504);
            assertThat(fleet.count()).isEqualTo(2);
            fleet.awaitIdle();
        }
    }

    @Test
    void a_fleet_that_refuses_is_not_stormed() throws Exception {
        int requests = 100;
        try (Fleet fleet = scene.fleet("org/storm", 4)) {
            fleet.replicas().forEach(replica -> replica.die());
            Outcomes before = scene.outcomes();
            long start = System.nanoTime();

            List<Integer> statuses =
                    Together.run(requests, requests, i -> () -> send(fleet).status());

            assertThat(System.nanoTime() - start).isLessThan(2_000_000_000L);
            assertThat(statuses).hasSize(requests).isSubsetOf(502, 503);
            assertThat(scene.outcomes().since(before).of("connect_failure"))
                    .isLessThanOrEqualTo(requests + requests / 10);
        }
    }

    private Response send(Fleet fleet) throws Exception {
        return RawClient.exchange(scene.port(), Requests.plain(fleet), SOON).answer();
    }
}
