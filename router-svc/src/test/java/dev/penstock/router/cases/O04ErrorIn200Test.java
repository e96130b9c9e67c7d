package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.RawHttp.Response;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.RawClient;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A 200 whose body is an error is judged by the error: back-pressure is answered as such, all else passes as it is. */
@ExtendWith(CaseExtension.class)
class O04ErrorIn200Test {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final int EACH = 20;
    private static final String CONTENT = "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}";
    private static final String BAD_REQUEST = "{\"error\":{\"object\":\"error\",\"message\":\"too many tokens\","
            + "\"type\":\"BadRequestError\",\"param\":null,\"code\":400}}";
    private static final String UNAVAILABLE = "{\"error\":{\"object\":\"error\",\"message\":\"queue full\","
            + "\"type\":\"ServiceUnavailable\",\"param\":null,\"code\":503}}";
    private static final String INTERNAL = "{\"error\":{\"object\":\"error\",\"message\":\"engine dead\","
            + "\"type\":\"InternalServerError\",\"param\":null,\"code\":500}}";
    private static final String ABORT = "{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"abort\"}]}";
    private static final String FLAT_500 = "{\"object\":\"error\",\"message\":\"engine dead\","
            + "\"type\":\"InternalServerError\",\"param\":null,\"code\":500}";
    private static final Plan GOOD = Plan.stream()
            .event(CONTENT)
            .event("{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}")
            .event("[DONE]")
            .end();

    private final RouterScene scene;

    O04ErrorIn200Test(RouterScene scene) {
        this.scene = scene;
    }

    @Test
    void a_clients_mistake_passes_and_says_nothing_of_the_replica() throws Exception {
        Plan plan = Plan.stream().event(BAD_REQUEST).event("[DONE]").end();

        passes(plan, 200, "data: " + BAD_REQUEST + "\n\ndata: [DONE]\n\n", "client_error", false);
    }

    @Test
    void an_engines_error_passes_and_counts_against_it() throws Exception {
        Plan plan = Plan.stream().event(INTERNAL).event("[DONE]").end();

        passes(plan, 200, "data: " + INTERNAL + "\n\ndata: [DONE]\n\n", "replica_error", true);
    }

    @Test
    void an_error_that_is_no_stream_passes_and_counts_against_the_replica() throws Exception {
        passes(Plan.json(200, FLAT_500), 200, FLAT_500, "replica_error", true);
    }

    @Test
    void a_stream_that_is_refused_keeps_its_status_and_its_type() throws Exception {
        passes(Plan.json(400, BAD_REQUEST), 400, BAD_REQUEST, "client_error", false);
    }

    @Test
    void an_error_after_content_passes_and_counts_against_the_replica() throws Exception {
        Plan plan = Plan.stream().event(CONTENT).event(INTERNAL).end();

        passes(plan, 200, "data: " + CONTENT + "\n\ndata: " + INTERNAL + "\n\n", "replica_error", true);
    }

    @Test
    void back_pressure_as_first_event_is_taken_elsewhere() throws Exception {
        is_taken_elsewhere(UNAVAILABLE);
    }

    @Test
    void an_abort_before_any_content_is_back_pressure() throws Exception {
        is_taken_elsewhere(ABORT);
    }

    @Test
    void back_pressure_beyond_the_budget_for_retries_is_a_503() throws Exception {
        try (Fleet fleet = scene.fleet(2)) {
            fleet.u(1).plan(Plan.stream().event(UNAVAILABLE).event("[DONE]").end());
            fleet.u(2).plan(GOOD);

            for (int sent = 0; sent < EACH; sent++) {
                Response answer = RawClient.exchange(scene.port(), Requests.stream(fleet), SOON)
                        .answer();
                if (answer.status() == 200) {
                    assertThat(answer.header("x-penstock-replica")).isEqualTo(fleet.nameOf(2));
                } else {
                    assertThat(answer.status()).isEqualTo(503);
                    assertThat(answer.header("retry-after")).isNotNull();
                }
            }
        }
    }

    @Test
    void back_pressure_everywhere_is_a_503() throws Exception {
        try (Fleet fleet = scene.fleet("org/retries", 3)) {
            fleet.plan(Plan.stream().event(UNAVAILABLE).event("[DONE]").end());

            Response answer = RawClient.exchange(scene.port(), Requests.stream(fleet), SOON)
                    .answer();

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("retry-after")).isNotNull();
            assertThat(answer.header("content-type")).startsWith("application/json");
            assertThat(fleet.count()).isEqualTo(2);
            assertThat(fleet.quarantined()).isFalse();
            fleet.awaitIdle();
        }
    }

    /** {@code EACH} of them from the first of two replicas, among good ones from the other. */
    private void passes(Plan plan, int status, String body, String outcome, boolean excludes) throws Exception {
        try (Fleet fleet = scene.fleet(2)) {
            fleet.u(1).plan(plan);
            fleet.u(2).plan(GOOD);
            Outcomes before = scene.outcomes();
            int sent = 0;
            int bad = 0;

            for (; bad < EACH && !fleet.quarantined(1) && sent < 10 * EACH; sent++) {
                Response answer = RawClient.exchange(scene.port(), Requests.stream(fleet), SOON)
                        .answer();
                if (!fleet.nameOf(1).equals(answer.header("x-penstock-replica"))) continue;
                bad++;
                assertThat(answer.status()).isEqualTo(status);
                assertThat(answer.bodyText()).isEqualTo(body);
                assertThat(answer.header("content-type"))
                        .isEqualTo(body.startsWith("{") ? "application/json" : "text/event-stream");
                assertThat(answer.complete()).isTrue();
            }

            assertThat(fleet.quarantined(1)).isEqualTo(excludes);
            assertThat(fleet.count()).as("none was tried again").isEqualTo(sent);
            long seen = bad;
            long good = sent - bad;
            Await.value(
                    "outcomes",
                    SOON,
                    () -> scene.outcomes().since(before),
                    told -> told.of(outcome) == seen && told.of("ok") == good && told.all() == seen + good);
            fleet.awaitIdle();
        }
    }

    private void is_taken_elsewhere(String firstEvent) throws Exception {
        try (Fleet fleet = scene.fleet("org/retries", 2)) {
            fleet.u(1).plan(Plan.stream().event(firstEvent).event("[DONE]").end());
            fleet.u(2).plan(GOOD);
            Outcomes before = scene.outcomes();

            int sent = 0;
            for (; fleet.u(1).log().count() < EACH && sent < 20 * EACH; sent++) {
                Response answer = RawClient.exchange(scene.port(), Requests.stream(fleet), SOON)
                        .answer();
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.bodyText()).startsWith("data: " + CONTENT).endsWith("data: [DONE]\n\n");
                assertThat(answer.header("x-penstock-replica")).isEqualTo(fleet.nameOf(2));
            }

            long refused = fleet.u(1).log().count();
            assertThat(refused).isPositive();
            assertThat(fleet.u(2).log().count()).isEqualTo(sent);
            assertThat(fleet.quarantined()).isFalse();
            Map<String, Long> expected = Map.of("backpressure", refused, "ok", (long) sent);
            Await.value("outcomes", SOON, () -> scene.outcomes().since(before).counts(), expected::equals);
            fleet.awaitIdle();
        }
    }
}
