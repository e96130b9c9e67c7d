package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.testkit.RawHttp.Response;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.RawClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The list of models is the fleet's, whatever one member does, and says the same as a call. */
@ExtendWith(CaseExtension.class)
class O13ModelsListTest {
    private static final Duration AT_ONCE = Duration.ofSeconds(1);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final RouterScene scene;

    O13ModelsListTest(RouterScene scene) {
        this.scene = scene;
    }

    @Test
    void dead_slow_and_lying_members_spoil_nothing() throws Exception {
        try (Fleet chat = scene.fleet(4);
                Fleet embed = scene.fleet("org/embed", 1)) {
            embed.u(1).die();
            chat.u(3).plan(Plan.start().waits(10_000));
            chat.u(4).plan(Plan.answer(200, "text/html", "<html>"));

            List<String> first = list();

            assertThat(first).contains("org/m-7b", "org/embed", "alias-m").doesNotHaveDuplicates();
            assertThat(list()).isEqualTo(first);
            assertThat(chat.count() + embed.count()).as("nobody was asked").isZero();
        }
    }

    @Test
    void with_all_replicas_dead_the_list_is_not_an_empty_success() throws Exception {
        try (Fleet chat = scene.fleet(2)) {
            chat.replicas().forEach(replica -> replica.die());
            for (int i = 0; i < 8; i++) call("org/m-7b");

            Response answer = get();

            if (answer.status() == 200) assertThat(ids(answer)).contains("org/m-7b");
            else assertThat(answer.status()).isEqualTo(503);
        }
    }

    @Test
    void what_is_listed_is_not_unknown_to_a_call_and_the_other_way_round() throws Exception {
        try (Fleet chat = scene.fleet(1)) {
            for (String listed : list())
                assertThat(call(listed).status()).as(listed).isNotEqualTo(404);
            chat.u(1).die();
            for (int i = 0; i < 5; i++) call("org/m-7b");

            boolean listed = list().contains("org/m-7b");

            assertThat(call("org/m-7b").status()).isIn(listed ? List.of(502, 503, 429) : List.of(404, 503));
            assertThat(list()).doesNotContain("nobody/has");
            assertThat(call("nobody/has").status()).isEqualTo(404);
        }
    }

    private List<String> list() throws Exception {
        Response answer = get();
        assertThat(answer.status()).isEqualTo(200);
        return ids(answer);
    }

    private Response get() throws Exception {
        return RawClient.exchange(scene.port(), Requests.head("GET /v1/models"), AT_ONCE)
                .answer();
    }

    private Response call(String model) throws Exception {
        return RawClient.exchange(scene.port(), Requests.chat(Requests.plainBody(model)), Duration.ofSeconds(5))
                .answer();
    }

    private static List<String> ids(Response answer) throws Exception {
        JsonNode list = JSON.readTree(answer.bodyText());
        assertThat(list.path("object").asText()).isEqualTo("list");
        List<String> ids = new ArrayList<>();
        for (JsonNode model : list.path("data")) {
            assertThat(model.path("object").asText()).isEqualTo("model");
            assertThat(model.path("created").isIntegralNumber()).isTrue();
            assertThat(model.path("owned_by").isTextual()).isTrue();
            ids.add(model.path("id").asText());
        }
        return ids;
    }
}
