package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.RawHttp.HeaderLine;
import dev.penstock.testkit.RawHttp.Response;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.RawClient;
import dev.penstock.testkit.raw.Received;
import dev.penstock.testkit.raw.SeenRequest;
import io.vertx.core.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What belongs to one connection stays on it; everything else passes, as often and in the order it came. */
@ExtendWith(CaseExtension.class)
class O09HopsTest {
    private static final Duration SOON = Duration.ofSeconds(5);

    private final RouterScene scene;

    O09HopsTest(RouterScene scene) {
        this.scene = scene;
    }

    @Test
    void the_engine_sees_what_is_meant_for_it() throws Exception {
        try (Fleet fleet = scene.fleet(1);
                RawClient client = RawClient.connect(scene.port())) {
            client.send(Requests.head("GET /health")).awaitAnswers(1, SOON);
            byte[] request = Requests.plain(
                    fleet,
                    "Connection: keep-alive, X-Hop",
                    "X-Hop: 1",
                    "Keep-Alive: timeout=9",
                    "TE: trailers",
                    "Proxy-Authorization: Basic eA==",
                    "Upgrade: h2c",
                    "x-UPPER-case: Q",
                    "X-Dup: 1",
                    "X-Dup: 2",
                    "Accept: text/event-stream",
                    "Accept: application/json");

            assertThat(client.send(request).awaitAnswers(2, SOON).statuses()).containsExactly(200, 200);

            SeenRequest seen = fleet.only();
            for (String hop : List.of("x-hop", "keep-alive", "te", "proxy-authorization", "upgrade")) {
                assertThat(seen.values(hop)).as(hop).isEmpty();
            }
            assertThat(seen.values("connection")).isSubsetOf("keep-alive");
            assertThat(seen.values("x-upper-case")).containsExactly("Q");
            assertThat(seen.values("x-dup")).containsExactly("1", "2");
            assertThat(String.join(", ", seen.values("accept"))).isEqualTo("text/event-stream, application/json");
            assertThat(seen.values("host"))
                    .containsExactly("127.0.0.1:" + fleet.u(1).port());
            assertThat(seen.values("content-length").size()
                            + seen.values("transfer-encoding").size())
                    .isEqualTo(1);
        }
    }

    @Test
    void an_upgrade_that_its_connection_does_not_name_is_ignored() throws Exception {
        ignored(scene, "Connection: keep-alive, X-Hop", "X-Hop: 1", "Upgrade: h2c");
        ignored(scene, "Upgrade: h2c");
        ignored(scene, "Connection: Upgrade", "Upgrade: H2C", "Upgrade: other");
    }

    @Test
    void an_upgrade_to_http_2_is_ignored_with_all_that_belongs_to_it() throws Exception {
        ignored(
                scene,
                "Connection: Upgrade, HTTP2-Settings",
                "Upgrade: h2c",
                "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA");
    }

    @Test
    void without_http_2_an_upgrade_is_ignored_too() throws Exception {
        try (RouterScene plain = RouterScene.start(scene.infra(), "no-h2c", "router: {h2c: false}")) {
            ignored(plain, "Connection: keep-alive, X-Hop", "X-Hop: 1", "Upgrade: h2c");
        }
    }

    /** A connection's first request, in one piece and byte by byte, and its second. */
    private void ignored(RouterScene router, String... headerLines) throws Exception {
        try (Fleet fleet = router.fleet(1);
                RawClient client = RawClient.connect(router.port());
                RawClient slow = RawClient.connect(router.port())) {
            byte[] request = Requests.plain(fleet, headerLines);

            assertThat(client.send(request).awaitAnswers(1, SOON).statuses()).containsExactly(200);
            assertThat(client.send(request).awaitAnswers(2, SOON).statuses()).containsExactly(200, 200);
            assertThat(slow.sendSlowly(request, 1, Duration.ofMillis(200))
                            .awaitAnswers(1, SOON)
                            .statuses())
                    .containsExactly(200);

            assertThat(fleet.requests()).hasSize(3).allSatisfy(seen -> {
                for (String hop : List.of("upgrade", "x-hop", "http2-settings")) {
                    assertThat(seen.has(hop)).as(hop).isFalse();
                }
            });
        }
    }

    @Test
    void http_2_that_comes_byte_by_byte_is_known_all_the_same() throws Exception {
        try (RawClient client = RawClient.connect(scene.port())) {
            byte[] preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
            byte[] settings = {0, 0, 0, 4, 0, 0, 0, 0, 0};

            client.sendSlowly(Requests.joined(preface, settings), 1, Duration.ofMillis(100));

            Received received = client.await("settings", SOON, all -> all.raw().length >= 9);
            assertThat(received.raw()[3]).as("a frame of settings").isEqualTo((byte) 4);
        }
    }

    @Test
    void the_client_sees_what_is_meant_for_it_and_keeps_its_connection() throws Exception {
        try (Fleet fleet = scene.fleet(1);
                RawClient client = RawClient.connect(scene.port())) {
            fleet.plan(Plan.answer(
                            200,
                            "text/plain",
                            "hello",
                            "Connection: close",
                            "Keep-Alive: timeout=5",
                            "Proxy-Authenticate: x",
                            "Set-Cookie: a=1",
                            "Set-Cookie: b=2; Path=/",
                            "X-Request-ID: r1",
                            "Date: Thu, 01 Jan 1970 00:00:00 GMT",
                            "Server: engine")
                    .fin());

            client.send(Requests.plain(fleet)).awaitAnswers(1, SOON);
            Received both = client.send(Requests.plain(fleet)).awaitAnswers(2, SOON);

            assertThat(both.statuses()).containsExactly(200, 200);
            for (Response answer : both.responses()) {
                assertThat(answer.bodyText()).isEqualTo("hello");
                assertThat(values(answer, "set-cookie")).containsExactly("a=1", "b=2; Path=/");
                assertThat(values(answer, "connection")).isEmpty();
                assertThat(values(answer, "keep-alive")).isEmpty();
                assertThat(values(answer, "proxy-authenticate")).isEmpty();
                assertThat(values(answer, "content-length").size()
                                + values(answer, "transfer-encoding").size())
                        .isEqualTo(1);
                assertThat(values(answer, "x-request-id")).hasSize(1);
                assertThat(values(answer, "date")).hasSizeLessThanOrEqualTo(1);
                assertThat(values(answer, "server")).hasSizeLessThanOrEqualTo(1);
            }
        }
    }

    @Test
    void over_http_2_the_same_holds() throws Exception {
        try (Fleet fleet = scene.fleet(1);
                H2Client client = new H2Client(scene.port())) {
            fleet.plan(Plan.answer(
                            200,
                            "text/plain",
                            "hello",
                            "Connection: close",
                            "Keep-Alive: timeout=5",
                            "Proxy-Authenticate: x",
                            "Set-Cookie: a=1",
                            "Set-Cookie: b=2; Path=/")
                    .fin());

            for (int i = 0; i < 2; i++) {
                H2Client.Got got = client.post(
                        Requests.CHAT,
                        Requests.plainBody(fleet.model()),
                        "te: trailers",
                        "proxy-authorization: Basic eA==",
                        "x-dup: 1",
                        "x-dup: 2");

                assertThat(got.failure()).isNull();
                assertThat(got.head().version()).isEqualTo(HttpVersion.HTTP_2);
                assertThat(got.body()).isEqualTo("hello");
                assertThat(got.head().headers().getAll("set-cookie")).containsExactly("a=1", "b=2; Path=/");
                for (String hop : List.of("connection", "keep-alive", "proxy-authenticate", "transfer-encoding")) {
                    assertThat(got.head().headers().contains(hop)).as(hop).isFalse();
                }
            }
            assertThat(fleet.requests()).hasSize(2).allSatisfy(seen -> {
                assertThat(seen.values("te")).isEmpty();
                assertThat(seen.values("proxy-authorization")).isEmpty();
                assertThat(seen.values("x-dup")).containsExactly("1", "2");
                assertThat(seen.values("host"))
                        .containsExactly("127.0.0.1:" + fleet.u(1).port());
                assertThat(seen.headers()).noneMatch(line -> line.startsWith(":"));
            });
        }
    }

    private static List<String> values(Response answer, String name) {
        return answer.headers().stream()
                .filter(line -> line.name().equalsIgnoreCase(name))
                .map(HeaderLine::value)
                .toList();
    }
}
