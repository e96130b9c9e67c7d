package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.RawHttp.Response;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.RawClient;
import dev.penstock.testkit.raw.ScriptedReplica;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A target is passed on as it came or not at all; none leads out of the API. */
@ExtendWith(CaseExtension.class)
class O10TargetsTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final String ODD = "/v1/chat/completions?api-version=2026-01&x=a%2Fb%20c+d&empty=&flag&x=2";

    private final RouterScene scene;

    O10TargetsTest(RouterScene scene) {
        this.scene = scene;
    }

    @Test
    void path_and_query_pass_byte_for_byte() throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            assertThat(post(fleet, ODD).status()).isEqualTo(200);

            assertThat(fleet.only().line()).isEqualTo("POST " + ODD + " HTTP/1.1");
        }
    }

    @Test
    void a_post_is_never_sent_elsewhere() throws Exception {
        for (String target : List.of("/v1//chat/completions", "/v1/chat/completions/", "/v1/chat/completions#frag")) {
            try (Fleet fleet = scene.fleet(1)) {
                Response answer = post(fleet, target);

                assertThat(answer.status()).as(target).isIn(200, 400, 404);
                if (answer.status() != 200) OwnError.of(answer);
                assertThat(fleet.requests()).allMatch(seen -> seen.target().equals(target.split("#", 2)[0]));
            }
        }
    }

    @Test
    void odd_paths_stay_within_the_api() throws Exception {
        List<String> targets = List.of(
                "/v1/models/org%2Fm-7b",
                "/v1/models/org/m-7b",
                "/v1/x%2520y",
                "/v1/..%2f..%2fadmin",
                "/v1/%2e%2e/metrics",
                "/v1/../metrics",
                "/%6detrics",
                "/v1/chat/../../debug/view",
                "//metrics");
        try (Fleet fleet = scene.fleet(1)) {
            for (String target : targets) {
                Response answer = RawClient.exchange(scene.port(), Requests.head("GET " + target), SOON)
                        .answer();

                assertThat(answer.status()).as(target).isIn(200, 400, 404);
                assertThat(answer.bodyText())
                        .as(target)
                        .doesNotContain("penstock_")
                        .doesNotContain("vllm:");
                if (answer.status() != 200) OwnError.of(answer);
            }
            assertThat(fleet.requests()).allMatch(seen -> targets.contains(seen.target()));
        }
    }

    @Test
    void an_absolute_target_is_not_dialled() throws Exception {
        try (Fleet fleet = scene.fleet(1);
                ScriptedReplica sentinel = ScriptedReplica.start("other", Plan.json(200, "{\"stolen\":true}"))) {
            Response answer = post(fleet, "http://127.0.0.1:" + sentinel.port() + Requests.CHAT);

            assertThat(sentinel.connections()).isZero();
            assertThat(answer.status()).isIn(200, 400, 404);
            assertThat(fleet.requests())
                    .allMatch(seen -> seen.target().equals(Requests.CHAT))
                    .allMatch(seen -> seen.values("host")
                            .equals(List.of("127.0.0.1:" + fleet.u(1).port())));
        }
    }

    @Test
    void a_target_that_is_no_path_is_answered() throws Exception {
        Response answer = RawClient.exchange(scene.port(), Requests.head("OPTIONS *"), SOON)
                .answer();

        assertThat(answer.status()).isIn(200, 204, 400, 404, 405);
    }

    private Response post(Fleet fleet, String target) throws Exception {
        byte[] body = Requests.plainBody(fleet.model()).getBytes(StandardCharsets.UTF_8);
        return RawClient.exchange(scene.port(), Requests.post(target, body), SOON)
                .answer();
    }
}
