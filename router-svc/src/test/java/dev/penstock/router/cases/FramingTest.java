package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.RawClient;
import dev.penstock.testkit.raw.Received;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Where a message ends is said in one way, and what says it in another is refused. */
@ExtendWith(CaseExtension.class)
class FramingTest {
    private static final Duration SOON = Duration.ofSeconds(5);

    private final RouterScene scene;

    FramingTest(RouterScene scene) {
        this.scene = scene;
    }

    @Test
    void a_coding_that_hides_a_body_is_refused_and_its_connection_ends() throws Exception {
        try (Fleet fleet = scene.fleet(1);
                RawClient client = RawClient.connect(scene.port())) {
            client.send("POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\n\r\n"
                    + "GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n");

            Received received = client.awaitEnd(SOON);

            assertThat(received.text()).startsWith("HTTP/1.1 400");
            assertThat(received.text()).doesNotContain("HTTP/1.1 200");
            assertThat(fleet.count()).isZero();
        }
    }

    @Test
    void two_lengths_are_refused() throws Exception {
        try (Fleet fleet = scene.fleet(1);
                RawClient client = RawClient.connect(scene.port())) {
            client.send("POST /v1/chat/completions HTTP/1.1\r\n"
                    + "Host: x\r\n"
                    + "Content-Length: 5\r\n"
                    + "Content-Length: 6\r\n\r\n"
                    + "{}");

            Received received = client.awaitText("\r\n\r\n", SOON);

            assertThat(received.text()).startsWith("HTTP/1.1 400");
            assertThat(fleet.count()).isZero();
        }
    }

    /** Many times, since the end of the request must come in the same turn of the event loop as the request. */
    @Test
    void who_closes_its_half_behind_a_request_is_answered() throws Exception {
        for (int i = 0; i < 50; i++) {
            try (RawClient client = RawClient.connect(scene.port())) {
                client.send("GET /v1/nowhere HTTP/1.1\r\nHost: x\r\n\r\n").halfClose();

                assertThat(client.awaitEnd(SOON).text()).startsWith("HTTP/1.1 404");
            }
        }
    }

    @Test
    void an_engines_chunked_error_goes_on_in_one_framing() throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            fleet.plan(Plan.start()
                    .send("HTTP/1.1 400 Bad Request\r\n"
                            + "Content-Type: application/json\r\n"
                            + "Transfer-Encoding: chunked\r\n\r\n")
                    .chunk("{\"object\":\"error\",\"message\":\"m\",\"type\":\"t\",\"param\":null,\"code\":400}")
                    .end());

            Received received = RawClient.exchange(scene.port(), Requests.plain(fleet), SOON);

            String head = head(received);
            assertThat(head).contains("content-length").doesNotContain("transfer-encoding");
            assertThat(received.answer().bodyText()).contains("\"message\":\"m\"");
        }
    }

    @Test
    void a_client_of_http_1_0_sees_the_end_of_a_stream() throws Exception {
        try (Fleet fleet = scene.fleet(1);
                RawClient client = RawClient.connect(scene.port())) {
            fleet.plan(Plan.stream()
                    .event("{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}")
                    .event("[DONE]")
                    .end());
            String request = new String(Requests.stream(fleet, "Connection: keep-alive"), StandardCharsets.ISO_8859_1);
            client.send(request.replaceFirst("HTTP/1\\.1", "HTTP/1.0"));

            Received received = client.awaitEnd(SOON);

            assertThat(received.text()).endsWith("data: [DONE]\n\n");
            assertThat(head(received)).doesNotContain("transfer-encoding");
        }
    }

    private static String head(Received received) {
        String text = received.text();
        return text.substring(0, text.indexOf("\r\n\r\n")).toLowerCase(Locale.ROOT);
    }
}
