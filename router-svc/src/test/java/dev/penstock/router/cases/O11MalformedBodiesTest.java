package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.RawHttp.Response;
import dev.penstock.testkit.raw.RawClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A body that is wrong gets a clean 4xx at once, reaches nobody, and costs its client neither time nor connection. */
@ExtendWith(CaseExtension.class)
class O11MalformedBodiesTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final Duration AT_ONCE = Duration.ofSeconds(1);
    private static final String MODEL = "\"model\":\"org/m-7b\"";

    /** One body, what it may be answered with, and what the error must name. */
    @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
    private record Row(String name, byte[] body, Set<Integer> statuses, String param) {}

    private final RouterScene scene;

    O11MalformedBodiesTest(RouterScene scene) {
        this.scene = scene;
    }

    @Test
    void every_wrong_body_is_a_clean_4xx_and_the_next_request_is_served() throws Exception {
        try (Fleet fleet = scene.fleet(1);
                RawClient client = RawClient.connect(scene.port())) {
            int answers = 0;
            for (Row row : rows()) {
                int before = fleet.count();
                long start = System.nanoTime();

                client.send(Requests.post(Requests.CHAT, row.body()));
                Response answer =
                        client.awaitAnswers(++answers, SOON).responses().getLast();

                long took = System.nanoTime() - start;
                assertThat(row.statuses())
                        .as(row.name() + ": " + answer.bodyText())
                        .contains(answer.status());
                assertThat(took).as(row.name()).isLessThan(AT_ONCE.toNanos());
                if (answer.status() >= 400) {
                    OwnError error = OwnError.of(answer);
                    if (!row.param().isEmpty())
                        assertThat(error.param()).as(row.name()).isEqualTo(row.param());
                    assertThat(fleet.count()).as(row.name()).isEqualTo(before);
                }
                client.send(Requests.plain(fleet));
                assertThat(client.awaitAnswers(++answers, SOON)
                                .responses()
                                .getLast()
                                .status())
                        .as("after " + row.name())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void an_unknown_model_is_named_as_not_found() throws Exception {
        Response answer = RawClient.exchange(scene.port(), Requests.chat(Requests.body("nobody/has")), SOON)
                .answer();

        assertThat(OwnError.of(answer).status()).isEqualTo(404);
        assertThat(OwnError.of(answer).code()).isEqualTo("model_not_found");
    }

    @Test
    void half_a_surrogate_pair_is_valid_json_and_passes() throws Exception {
        String body = "{" + MODEL + ",\"messages\":[{\"role\":\"user\",\"content\":\"\\ud83d\"}]}";
        try (Fleet fleet = scene.fleet(1)) {
            assertThat(RawClient.exchange(scene.port(), Requests.chat(body), SOON)
                            .statuses())
                    .containsExactly(200);

            assertThat(fleet.only().bodyText()).isEqualTo(body);
        }
    }

    @Test
    void a_key_of_5_mb_is_refused() throws Exception {
        String body = "{\"" + "k".repeat(5_000_000) + "\":1," + MODEL + "}";
        try (Fleet fleet = scene.fleet(1)) {
            Response answer =
                    RawClient.exchange(scene.port(), Requests.chat(body), SOON).answer();

            assertThat(OwnError.of(answer).status()).isIn(400, 413);
            assertThat(fleet.count()).isZero();
        }
    }

    @Test
    void another_content_type_is_accepted_or_refused_as_such() throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            Response answer = RawClient.exchange(scene.port(), Requests.plain(fleet, "Content-Type: text/plain"), SOON)
                    .answer();

            assertThat(answer.status()).isIn(200, 415);
        }
    }

    @Test
    void a_get_with_a_body_is_told_the_method() throws Exception {
        byte[] body = Requests.plainBody("org/m-7b").getBytes(StandardCharsets.UTF_8);
        try (RawClient client = RawClient.connect(scene.port())) {
            client.send(Requests.joined(Requests.head("GET " + Requests.CHAT, "Content-Length: " + body.length), body));
            Response answer = client.awaitAnswers(1, AT_ONCE).answer();

            assertThat(OwnError.of(answer).status()).isEqualTo(405);
            assertThat(answer.header("allow")).isEqualTo("POST");
            client.send(Requests.head("GET /v1/models"));
            assertThat(client.awaitAnswers(2, SOON).statuses()).containsExactly(405, 200);
        }
    }

    private static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        wrong(rows, "", "{", "[]", "\"x\"", "null", "42", "true");
        wrong(rows, "model", "{}", "{\"messages\":[]}");
        for (String model : List.of("null", "7", "[\"a\"]", "{}", "\"\"", "\"  \"")) {
            wrong(rows, "model", "{\"model\":" + model + ",\"messages\":[]}");
        }
        for (String stream : List.of("\"true\"", "\"false\"", "1", "[]")) {
            rows.add(row("stream " + stream, "{" + MODEL + ",\"stream\":" + stream + "}", Set.of(400), "stream"));
        }
        rows.add(row("stream null", "{" + MODEL + ",\"stream\":null}", Set.of(200), ""));
        wrong(rows, "", "[".repeat(100_000), "{" + MODEL + ",\"a\":" + "[".repeat(100_000));
        wrong(rows, "", "{" + MODEL + "}garbage");
        for (String bad : List.of("NaN", "Infinity", "-Infinity", "'x'", "1,", "01", "tru")) {
            wrong(rows, "", "{" + MODEL + ",\"x\":" + bad + "}");
        }
        wrong(rows, "", "{" + MODEL + ",}", "{'model':'org/m-7b'}");
        byte[] good = ("{" + MODEL + "}").getBytes(StandardCharsets.UTF_8);
        rows.add(new Row("no body", new byte[0], Set.of(400), ""));
        rows.add(new Row(
                "BOM",
                Requests.joined(new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF}, good),
                Set.of(200, 400),
                ""));
        rows.add(new Row("UTF-16LE", ("\uFEFF{" + MODEL + "}").getBytes(StandardCharsets.UTF_16LE), Set.of(400), ""));
        rows.add(new Row(
                "0xFF in a string",
                ("{" + MODEL + ",\"x\":\"\u00ff\"}").getBytes(StandardCharsets.ISO_8859_1),
                Set.of(400),
                ""));
        return rows;
    }

    private static void wrong(List<Row> rows, String param, String... bodies) {
        for (String body : bodies) {
            rows.add(row(body.substring(0, Math.min(60, body.length())), body, Set.of(400), param));
        }
    }

    private static Row row(String name, String body, Set<Integer> statuses, String param) {
        return new Row(name, body.getBytes(StandardCharsets.UTF_8), statuses, param);
    }
}
