package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.RawHttp.Ending;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.RawClient;
import dev.penstock.testkit.raw.Received;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.StreamResetException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A replica that dies in the middle of its answer is never a success: the client can tell. */
@ExtendWith(CaseExtension.class)
class O03MidStreamDeathTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    /** HTTP/2's: with no error a client may take what it has for the whole. */
    private static final long INTERNAL_ERROR = 2;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern BLANK_LINE = Pattern.compile("\n\n");
    private static final String A = "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}";
    private static final String B = "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"b\"}}]}";
    private static final String BROKEN = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"par";
    private static final Plan BEGUN = Plan.stream().event(A).event(B);

    private final RouterScene scene;

    O03MidStreamDeathTest(RouterScene scene) {
        this.scene = scene;
    }

    @Test
    void a_reset_is_told_after_what_arrived() throws Exception {
        String body = dies(BEGUN.waits(100).reset());

        assertThat(body).startsWith("data: " + A + "\n\ndata: " + B + "\n\ndata: {\"error\":");
    }

    @Test
    void a_close_without_an_end_is_told_after_what_arrived() throws Exception {
        String body = dies(BEGUN.waits(100).fin());

        assertThat(body).startsWith("data: " + A + "\n\ndata: " + B + "\n\ndata: {\"error\":");
    }

    @Test
    void a_broken_line_is_ended_before_the_error() throws Exception {
        String body = dies(Plan.stream().event(A).chunk(BROKEN).waits(100).reset());

        assertThat(body).startsWith("data: " + A + "\n\n" + BROKEN + "\n\ndata: {\"error\":");
    }

    @Test
    void a_reset_that_takes_the_tail_with_it_is_told() throws Exception {
        try (Fleet fleet = scene.fleet(2)) {
            fleet.plan(BEGUN.reset());

            try (RawClient client = RawClient.connect(scene.port())) {
                Received received = client.send(Requests.stream(fleet)).awaitAnswers(1, SOON);

                boolean refused = received.answer().status() >= 500;
                assertThat(refused || !received.answer().complete())
                        .as(received.text())
                        .isTrue();
            }
            fleet.awaitIdle();
        }
    }

    @Test
    void an_answer_that_is_no_stream_is_cut_short_visibly() throws Exception {
        try (Fleet fleet = scene.fleet(2);
                RawClient client = RawClient.connect(scene.port())) {
            fleet.plan(Plan.start()
                    .send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"a\":")
                    .waits(100)
                    .reset());

            Received received = client.send(Requests.plain(fleet)).awaitEnd(SOON);

            assertThat(received.answer().complete()).isFalse();
            assertThat(received.bodyText()).isEqualTo("{\"a\":");
            assertThat(fleet.count()).isEqualTo(1);
            fleet.awaitIdle();
        }
    }

    @Test
    void over_http_2_the_stream_is_reset_after_the_error() throws Exception {
        try (Fleet fleet = scene.fleet(2);
                H2Client client = new H2Client(scene.port())) {
            fleet.plan(BEGUN.waits(100).reset());

            H2Client.Got got = client.post(Requests.CHAT, Requests.body(fleet.model()));

            assertThat(got.head().version()).isEqualTo(HttpVersion.HTTP_2);
            assertThat(got.failure())
                    .isInstanceOfSatisfying(StreamResetException.class, reset -> assertThat(reset.getCode())
                            .isEqualTo(INTERNAL_ERROR));
            assertThat(got.body())
                    .startsWith("data: " + A + "\n\ndata: " + B + "\n\n")
                    .doesNotContain("[DONE]");
            assertThat(errors(got.body())).hasSize(1);
            assertThat(fleet.count()).isEqualTo(1);
            fleet.awaitIdle();
            fleet.plan(Plan.json(200, "{}"));
            assertThat(client.post(Requests.CHAT, Requests.plainBody(fleet.model()))
                            .body())
                    .as("others on the connection go on")
                    .isEqualTo("{}");
        }
    }

    @Test
    void over_http_2_an_answer_that_is_no_stream_is_reset_too() throws Exception {
        try (Fleet fleet = scene.fleet(2);
                H2Client client = new H2Client(scene.port())) {
            fleet.plan(Plan.start()
                    .send("HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nTransfer-Encoding: chunked\r\n\r\n")
                    .chunk("RIFF")
                    .waits(100)
                    .reset());

            H2Client.Got got = client.post(Requests.CHAT, Requests.plainBody(fleet.model()));

            assertThat(got.body()).isEqualTo("RIFF");
            assertThat(got.failure())
                    .isInstanceOfSatisfying(StreamResetException.class, reset -> assertThat(reset.getCode())
                            .isEqualTo(INTERNAL_ERROR));
            fleet.awaitIdle();
        }
    }

    private String dies(Plan plan) throws Exception {
        try (Fleet fleet = scene.fleet(2);
                RawClient client = RawClient.connect(scene.port())) {
            fleet.plan(plan);
            Outcomes before = scene.outcomes();

            Received received = client.send(Requests.stream(fleet)).awaitEnd(SOON);

            assertThat(received.statuses()).containsExactly(200);
            assertThat(received.text()).doesNotContain("0\r\n\r\n").doesNotContain("[DONE]");
            assertThat(received.text()).doesNotContain("finish_reason");
            assertThat(received.ending()).isNotEqualTo(Ending.OPEN);
            assertThat(errors(received.bodyText())).hasSize(1).allSatisfy(error -> {
                assertThat(error.path("message").asText()).isNotEmpty();
                assertThat(error.path("type").asText()).isNotEmpty();
                assertThat(error.has("code")).isTrue();
            });
            assertThat(fleet.count()).isEqualTo(1);
            Await.value(
                    "one failure",
                    SOON,
                    () -> scene.outcomes().since(before),
                    counts -> counts.failures() == 1 && counts.counts().size() == 1);
            fleet.awaitIdle();
            return received.bodyText();
        }
    }

    /** The errors among a stream's events. */
    private static List<JsonNode> errors(String body) {
        return BLANK_LINE
                .splitAsStream(body)
                .filter(event -> event.startsWith("data: "))
                .map(event -> parsed(event.substring("data: ".length())))
                .filter(event -> event.has("error"))
                .map(event -> event.path("error"))
                .toList();
    }

    private static JsonNode parsed(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException broken) {
            return JSON.createObjectNode();
        }
    }
}
