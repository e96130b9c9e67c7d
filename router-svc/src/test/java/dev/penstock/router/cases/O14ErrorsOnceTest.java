package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.testkit.RawHttp.Response;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.RawClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An engine's error is passed on once, with its status; the router's own can be told from it and tells no internals. */
@ExtendWith(CaseExtension.class)
class O14ErrorsOnceTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NESTED = "{\"error\":{\"message\":\"bad top_p value\",\"type\":\"BadRequestError\","
            + "\"param\":\"top_p\",\"code\":400}}";
    private static final String FLAT = "{\"object\":\"error\",\"message\":\"bad top_p value\","
            + "\"type\":\"BadRequestError\",\"param\":\"top_p\",\"code\":400}";

    private final RouterScene scene;

    O14ErrorsOnceTest(RouterScene scene) {
        this.scene = scene;
    }

    @Test
    void an_error_in_the_envelope_passes_byte_for_byte() throws Exception {
        assertThat(relayed(Plan.json(400, NESTED), 400)).isEqualTo(NESTED);
    }

    @Test
    void a_flat_error_passes_or_is_lifted_with_all_its_fields() throws Exception {
        String body = relayed(Plan.json(400, FLAT), 400);

        if (body.equals(FLAT)) return;
        JsonNode error = JSON.readTree(body).path("error");
        assertThat(error.path("message").asText()).isEqualTo("bad top_p value");
        assertThat(error.path("type").asText()).isEqualTo("BadRequestError");
        assertThat(error.path("param").asText()).isEqualTo("top_p");
        assertThat(error.path("code").asInt()).isEqualTo(400);
    }

    @Test
    void text_and_html_pass_or_are_wrapped_once() throws Exception {
        passes_or_is_wrapped(Plan.answer(500, "text/plain", "Internal Server Error"), 500, "Internal Server Error");
        passes_or_is_wrapped(Plan.answer(502, "text/html", "<html>bad</html>"), 502, "<html>bad</html>");
        passes_or_is_wrapped(Plan.answer(503, "text/plain", ""), 503, "");
    }

    @Test
    void other_json_keeps_its_status() throws Exception {
        String detail = "{\"detail\":\"Not Found\"}";
        passes_or_is_wrapped(Plan.json(404, detail), 404, detail);
        passes_or_is_wrapped(Plan.json(401, "{\"error\":\"Unauthorized\"}"), 401, "{\"error\":\"Unauthorized\"}");
    }

    @Test
    void a_fleet_that_refuses_connections_is_the_routers_own_error() throws Exception {
        try (Fleet fleet = scene.fleet(2)) {
            fleet.replicas().forEach(replica -> replica.die());

            for (int i = 0; i < 10; i++) {
                Response answer = send(fleet);

                OwnError error = OwnError.of(answer);
                assertThat(error.status()).isIn(502, 503);
                assertThat(error.code()).isNotEmpty();
                assertThat(answer.header("x-penstock-replica")).isNull();
            }
        }
    }

    private void passes_or_is_wrapped(Plan plan, int status, String sent) throws Exception {
        String body = relayed(plan, status);
        if (body.equals(sent)) return;
        JsonNode error = JSON.readTree(body).path("error");
        assertThat(error.path("message").isTextual()).as(body).isTrue();
        assertThat(error.path("message").asText()).doesNotStartWith("{");
    }

    private String relayed(Plan plan, int status) throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            fleet.plan(plan);

            Response answer = send(fleet);

            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.complete()).isTrue();
            assertThat(List.of(fleet.nameOf(1))).contains(answer.header("x-penstock-replica"));
            return answer.bodyText();
        }
    }

    private Response send(Fleet fleet) throws Exception {
        return RawClient.exchange(scene.port(), Requests.plain(fleet), SOON).answer();
    }
}
