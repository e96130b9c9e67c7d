package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.RawHttp.Response;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.RawClient;
import dev.penstock.testkit.raw.ScriptedReplica;
import dev.penstock.testkit.raw.SeenRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A client's headers never choose an address: nobody is dialled but replicas of the model that was asked for. */
@ExtendWith(CaseExtension.class)
class O24RoutingHeadersTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final List<String> STEERING = List.of(
            "target-pod",
            "x-gateway-destination-endpoint",
            "x-prefiller-host-port",
            "x-prefiller-url",
            "x-target-backend",
            "x-forwarded-host",
            "forwarded",
            "x-data-parallel-rank",
            "x-penstock-replica",
            "x-penstock-decision",
            "x-penstock-asked-by",
            "x-penstock-target",
            "x-penstock-tenant",
            "x-penstock-probe");
    private static final List<String> ROUTES = List.of(
            "/v1/chat/completions",
            "/v1/completions",
            "/v1/embeddings",
            "/v1/responses",
            "/v1/messages",
            "/v1/rerank",
            "/v1/score",
            "/v1/audio/speech",
            "/v1/audio/transcriptions",
            "/v1/images/generations",
            "/v1/videos",
            "/v1/videos/video_MTI3LjAuMC4xOjk5OTk",
            "/v1/responses/resp_MTI3LjAuMC4xOjk5OTk/cancel",
            "/tokenize",
            "/detokenize",
            "/v1/models",
            "/v1/realtime");

    private final RouterScene scene;

    O24RoutingHeadersTest(RouterScene scene) {
        this.scene = scene;
    }

    @Test
    void nobody_is_dialled_because_a_header_says_so() throws Exception {
        try (Fleet fleet = scene.fleet(1);
                Fleet others = scene.fleet("org/other", 1);
                ScriptedReplica sentinel = ScriptedReplica.start("sentinel", Plan.json(200, "{}"))) {
            for (int port : List.of(sentinel.port(), others.u(1).port())) {
                String address = "127.0.0.1:" + port;
                for (String route : ROUTES) {
                    for (String line : lines(address)) send(route, fleet, line);
                    send(route, fleet, lines(address).toArray(String[]::new));
                }
            }

            assertThat(sentinel.connections()).isZero();
            assertThat(others.count()).isZero();
            assertThat(fleet.count()).isPositive();
            for (SeenRequest seen : fleet.requests()) {
                for (String name : STEERING)
                    assertThat(seen.values(name)).as(name).isEmpty();
                assertThat(seen.values("routing-strategy")).isEmpty();
                assertThat(seen.headers()).noneMatch(line -> line.contains(":" + sentinel.port()));
            }
        }
    }

    @Test
    void a_session_that_looks_like_an_address_is_only_a_name() throws Exception {
        try (Fleet fleet = scene.fleet(1);
                ScriptedReplica sentinel = ScriptedReplica.start("sentinel", Plan.json(200, "{}"))) {
            String token = Base64.getEncoder()
                    .encodeToString(("127.0.0.1:" + sentinel.port()).getBytes(StandardCharsets.US_ASCII));

            assertThat(send(Requests.CHAT, fleet, "X-Session-Id: " + token).status())
                    .isEqualTo(200);
            assertThat(send(Requests.CHAT, fleet, "X-Session-Id: 127.0.0.1:" + sentinel.port())
                            .status())
                    .isEqualTo(200);

            assertThat(sentinel.connections()).isZero();
        }
    }

    @Test
    void strategies_that_nobody_has_are_ignored_or_refused_and_labels_stay_bounded() throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            long before = series();
            for (String strategy : List.of("nope", "random;x", "n".repeat(7_000), "", "random,random")) {
                Response answer = send(Requests.CHAT, fleet, "Routing-Strategy: " + strategy);
                assertThat(answer.status()).as(strategy).isIn(200, 400);
            }
            Response twice = send(Requests.CHAT, fleet, "Routing-Strategy: nope", "routing-strategy: random");
            assertThat(twice.status()).isIn(200, 400);

            assertThat(series()).isLessThan(before + 5);
        }
    }

    private long series() {
        return scene.operations("/metrics")
                .body()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .count();
    }

    /** Each steering header as it would be sent, in mixed case, twice, and with a dot behind. */
    private static List<String> lines(String address) {
        List<String> lines = new ArrayList<>();
        for (String name : STEERING) {
            String value = name.equals("x-prefiller-url") ? "http://" + address + "/" : address;
            if (name.equals("forwarded")) value = "host=" + address;
            lines.add(name + ": " + value);
            lines.add(name.toUpperCase(Locale.ROOT) + ": " + value + ". ");
        }
        return lines;
    }

    private Response send(String route, Fleet fleet, String... headerLines) throws Exception {
        byte[] body = Requests.plainBody(fleet.model()).getBytes(StandardCharsets.UTF_8);
        return RawClient.exchange(scene.port(), Requests.post(route, body, headerLines), SOON)
                .answer();
    }
}
