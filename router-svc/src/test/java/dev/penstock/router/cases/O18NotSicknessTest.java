package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.RawHttp.Response;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.RawClient;
import dev.penstock.testkit.raw.Script;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What clients get wrong and queues that are full say nothing of a replica's health, neither for nor against it. */
@ExtendWith(CaseExtension.class)
class O18NotSicknessTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final int EACH = 50;
    /** Failures in a row that shut a replica out of a router. */
    private static final int ROW = 3;

    private static final Plan BAD =
            Plan.json(400, "{\"error\":{\"message\":\"m\",\"type\":\"t\",\"param\":null,\"code\":400}}");
    private static final Plan SICK =
            Plan.json(500, "{\"error\":{\"message\":\"m\",\"type\":\"t\",\"param\":null,\"code\":500}}");
    private static final Plan GOOD = Plan.json(200, "{}");
    private static final String BUSY = "{\"error\":{\"message\":\"queue full\"}}";

    private final RouterScene scene;

    O18NotSicknessTest(RouterScene scene) {
        this.scene = scene;
    }

    @Test
    void clients_mistakes_exclude_nobody() throws Exception {
        for (int status : List.of(400, 401, 404, 413, 422, 429)) {
            try (Fleet fleet = scene.fleet(2)) {
                fleet.plan(Plan.json(status, "{}"));

                for (int i = 0; i < EACH; i++) assertThat(send(fleet).status()).isEqualTo(status);

                assertThat(fleet.quarantined()).as("after " + status).isFalse();
            }
        }
    }

    @Test
    void full_queues_exclude_nobody_and_the_first_free_one_serves_at_once() throws Exception {
        try (Fleet fleet = scene.fleet(2)) {
            fleet.plan(Plan.answer(503, "application/json", BUSY, "Retry-After: 3"));
            for (int i = 0; i < EACH; i++) {
                Response answer = send(fleet);
                assertThat(answer.status()).isEqualTo(503);
                assertThat(answer.header("retry-after")).isEqualTo("3");
            }
            assertThat(fleet.quarantined()).isFalse();

            fleet.plan(GOOD);

            assertThat(send(fleet).status()).isEqualTo(200);
        }
    }

    @Test
    void mistakes_between_failures_neither_hide_nor_add_to_them() throws Exception {
        try (Fleet fleet = scene.fleet(2)) {
            fleet.u(1).script(request -> request.turn() % 2 == 0 ? BAD : SICK);

            for (int sent = 0; !fleet.quarantined(1) && sent < 100; sent++) send(fleet);

            assertThat(fleet.quarantined(1)).isTrue();
            assertThat(fleet.u(1).log().count()).isEqualTo(2 * ROW);
            assertThat(fleet.quarantined(2)).isFalse();
            for (int i = 0; i < 20; i++) assertThat(send(fleet).status()).isEqualTo(200);
        }
    }

    @Test
    void a_trial_that_meets_a_mistake_goes_on() throws Exception {
        try (Fleet fleet = scene.fleet(2)) {
            fleet.u(1).script(Script.inTurn(SICK, SICK, SICK, BAD, GOOD));
            for (int sent = 0; !fleet.quarantined(1) && sent < 100; sent++) send(fleet);
            Await.until("on trial", SOON, () -> scene.view().toString().contains("\"quarantine\":\"trial\""));

            until_seen(fleet, ROW + 1);
            assertThat(fleet.quarantined(1)).as("not let back in by a mistake").isTrue();
            until_seen(fleet, ROW + 2);

            Await.until("let back in by a success", SOON, () -> !fleet.quarantined(1));
        }
    }

    /** Sends until the first replica has had so many requests. */
    private void until_seen(Fleet fleet, int count) throws Exception {
        for (int sent = 0; fleet.u(1).log().count() < count && sent < 200; sent++) send(fleet);
        assertThat(fleet.u(1).log().count()).isEqualTo(count);
    }

    private Response send(Fleet fleet) throws Exception {
        return RawClient.exchange(scene.port(), Requests.plain(fleet), SOON).answer();
    }
}
