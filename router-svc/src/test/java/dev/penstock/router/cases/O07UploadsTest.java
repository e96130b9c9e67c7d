package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.RawHttp.Response;
import dev.penstock.testkit.Sha256;
import dev.penstock.testkit.raw.RawClient;
import dev.penstock.testkit.raw.Received;
import dev.penstock.testkit.raw.SeenRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Uploads that ask first, come in chunks, come compressed or come late reach the engine in one framing. */
@ExtendWith(CaseExtension.class)
class O07UploadsTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final int SIZE = 1_449_466;

    private static RouterScene small;

    private final RouterScene scene;

    O07UploadsTest(RouterScene scene) {
        this.scene = scene;
    }

    @BeforeAll
    static void start(CaseInfra infra) {
        small = RouterScene.start(infra, "uploads", "router: {maxBody: 64KiB}");
    }

    @AfterAll
    static void stop() {
        small.close();
    }

    @Test
    void a_client_that_asks_first_is_told_to_go_on() throws Exception {
        byte[] body = padded(SIZE);
        try (Fleet fleet = scene.fleet(1);
                RawClient client = RawClient.connect(scene.port())) {
            client.send(
                    Requests.head("POST " + Requests.CHAT, "Expect: 100-continue", "Content-Length: " + body.length));

            client.awaitText("HTTP/1.1 100 ", Duration.ofSeconds(1));
            Received received = client.send(body).awaitAnswers(1, SOON);

            assertThat(received.statuses()).containsExactly(100, 200);
            SeenRequest seen = fleet.only();
            assertThat(seen.sha256()).isEqualTo(Sha256.hex(body));
            assertThat(seen.has("expect")).isFalse();
            one_framing(seen, SIZE);
        }
    }

    @Test
    void a_body_that_would_be_refused_is_not_asked_for() throws Exception {
        try (RawClient client = RawClient.connect(small.port())) {
            client.send(Requests.head("POST " + Requests.CHAT, "Expect: 100-continue", "Content-Length: " + SIZE));

            Received received = client.awaitAnswers(1, Duration.ofSeconds(1));

            assertThat(received.statuses()).containsExactly(413);
            OwnError.of(received.answer());
        }
    }

    @Test
    void a_model_that_nobody_has_is_refused_once() throws Exception {
        byte[] body = Requests.body("nobody/has").getBytes(StandardCharsets.UTF_8);
        try (RawClient client = RawClient.connect(scene.port())) {
            client.send(Requests.head(
                            "POST " + Requests.CHAT, "Expect: 100-continue", "Content-Length: " + body.length))
                    .awaitText("HTTP/1.1 ", Duration.ofSeconds(1));

            Received received = client.send(body).awaitAnswers(1, SOON);

            assertThat(received.statuses().stream().filter(status -> status >= 200))
                    .containsExactly(404);
        }
    }

    @Test
    void another_expectation_does_not_hang() throws Exception {
        try (Fleet fleet = scene.fleet(1);
                RawClient client = RawClient.connect(scene.port())) {
            client.send(Requests.plain(fleet, "Expect: banana"));

            assertThat(client.awaitAnswers(1, Duration.ofSeconds(1)).answer().status())
                    .isIn(417, 200);
        }
    }

    @Test
    void a_chunked_body_reaches_the_engine_without_its_framing() throws Exception {
        String body = Requests.plainBody("org/m-7b");
        String first = body.substring(0, 26);
        try (Fleet fleet = scene.fleet(1);
                RawClient client = RawClient.connect(scene.port())) {
            client.send(Requests.head("POST " + Requests.CHAT, "Transfer-Encoding: chunked", "Trailer: X-T"))
                    .send("1a;foo=bar\r\n" + first + "\r\n")
                    .send(Requests.chunk(body.substring(26, 30).getBytes(StandardCharsets.UTF_8)))
                    .send(Requests.chunk(body.substring(30).getBytes(StandardCharsets.UTF_8)))
                    .send("0\r\nX-T: 1\r\n\r\n");

            assertThat(client.awaitAnswers(1, SOON).statuses()).containsExactly(200);
            assertThat(fleet.only().bodyText()).isEqualTo(body);
            one_framing(fleet.only(), body.length());
        }
    }

    @Test
    void a_compressed_body_is_routed_and_forwarded_untouched_or_refused_as_such() throws Exception {
        byte[] zipped = gzip(Requests.plainBody("org/m-7b"));
        try (Fleet fleet = scene.fleet(1)) {
            Response answer = RawClient.exchange(
                            scene.port(), Requests.post(Requests.CHAT, zipped, "Content-Encoding: gzip"), SOON)
                    .answer();

            if (answer.status() == 415) {
                OwnError.of(answer);
                assertThat(fleet.count()).isZero();
            } else {
                assertThat(answer.status()).as(answer.bodyText()).isEqualTo(200);
                assertThat(fleet.only().values("content-encoding")).isEqualTo(List.of("gzip"));
                assertThat(fleet.only().sha256()).isEqualTo(Sha256.hex(zipped));
            }
        }
    }

    @Test
    void a_body_that_comes_after_its_head_is_waited_for() throws Exception {
        byte[] body = Requests.plainBody("org/m-7b").getBytes(StandardCharsets.UTF_8);
        try (Fleet fleet = scene.fleet(1);
                RawClient client = RawClient.connect(scene.port())) {
            client.send(Requests.head("POST " + Requests.CHAT, "Content-Length: " + body.length))
                    .waits(Duration.ofMillis(200))
                    .send(body);

            assertThat(client.awaitAnswers(1, SOON).statuses()).containsExactly(200);
            assertThat(fleet.only().sha256()).isEqualTo(Sha256.hex(body));
        }
    }

    private static void one_framing(SeenRequest seen, int length) {
        boolean sized =
                seen.values("content-length").equals(List.of(String.valueOf(length))) && !seen.has("transfer-encoding");
        boolean chunked = seen.values("transfer-encoding").equals(List.of("chunked")) && !seen.has("content-length");
        assertThat(sized || chunked).as(seen.headers().toString()).isTrue();
    }

    private static byte[] padded(int size) {
        String body = Requests.plainBody("org/m-7b");
        return (body + " ".repeat(size - body.length())).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(zipped)) {
            zip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return zipped.toByteArray();
    }
}
