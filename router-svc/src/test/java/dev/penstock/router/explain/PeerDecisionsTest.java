package dev.penstock.router.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.penstock.core.view.FleetView;
import dev.penstock.kit.management.ManagementServer;
import dev.penstock.kit.management.Readiness;
import dev.penstock.model.Header;
import dev.penstock.model.InflightVector;
import dev.penstock.router.fleet.PeerAddresses;
import dev.penstock.testkit.FreePorts;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Management ports of routers that heard each other, asked for decisions that they did not make. */
class PeerDecisionsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TOKEN = "sixteen-or-more-characters";
    private static final String ID = "router-0-mb2k4v0q1c8";

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();

    private record Asked(
            String uri,
            @Nullable String authorization,
            @Nullable String by) {}

    private record Answer(int status, JsonNode body) {
        String error() {
            return body.path("error").asText();
        }
    }

    /** A router without traffic: its page knows no decision. */
    private final class Router {
        final PeerAddresses addresses;
        final int port;

        Router(String name, @Nullable String token) {
            addresses = new PeerAddresses(name);
            DecisionPage page = new DecisionPage(
                    name,
                    new FleetView(name, 1),
                    List.of(),
                    addresses,
                    new PeerDecisions(vertx, name, token != null),
                    System::nanoTime);
            port = await(ManagementServer.start(
                            vertx,
                            "127.0.0.1",
                            0,
                            new Readiness(),
                            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                            JsonNodeFactory.instance.objectNode(),
                            Map.of(),
                            Map.of("decisions", page),
                            token))
                    .port();
        }

        Router heard(String peer, int peerPort) {
            return heard(peer, "http://127.0.0.1:" + peerPort);
        }

        Router heard(String peer, @Nullable String url) {
            Header header = new Header(peer, 7, 1, Header.NO_EPOCH, 0);
            addresses.heard(
                    new InflightVector(header, 1, true, new int[0], new int[0], List.of(), url), System.nanoTime());
            return this;
        }
    }

    @AfterEach
    void close() {
        client.close();
        await(vertx.close());
    }

    @Test
    void a_router_answers_as_the_one_that_decided() throws Exception {
        Router decider = new Router("router-0", null);
        Router other = new Router("router-1", null).heard("router-0", decider.port);

        Answer own = get(decider.port, ID);
        Answer passedOn = get(other.port, ID);

        assertThat(passedOn).isEqualTo(own);
        assertThat(own.status()).isEqualTo(404);
        assertThat(own.error()).startsWith("no decision of " + ID);
    }

    @Test
    void status_and_body_are_passed_on_and_the_question_is_marked() throws Exception {
        int peer = peer(request -> request.response().setStatusCode(203).end("{\"id\":\"x\",\"load\":10.94}"));
        Router router = new Router("router-1", null).heard("router-0", peer);

        Answer answer = get(router.port, ID + "-a1", "authorization", "Basic c2VjcmV0");

        assertThat(answer.status()).isEqualTo(203);
        assertThat(answer.body()).isEqualTo(JSON.readTree("{\"id\":\"x\",\"load\":10.94}"));
        // Without a management token what a caller shows is meant for somebody else.
        assertThat(asked).containsExactly(new Asked("/debug/decisions/" + ID, null, "router-1"));
    }

    @Test
    void the_callers_token_goes_along() throws Exception {
        Router decider = new Router("router-0", TOKEN);
        Router other = new Router("router-1", TOKEN).heard("router-0", decider.port);

        assertThat(get(other.port, ID, "authorization", "Bearer " + TOKEN).error())
                .startsWith("no decision of");
        assertThat(status(other.port, ID)).isEqualTo(401);
    }

    @Test
    void a_peer_with_another_token_is_told_from_a_wrong_token_of_the_caller() throws Exception {
        Router decider = new Router("router-0", TOKEN + "-another");
        Router other = new Router("router-1", TOKEN).heard("router-0", decider.port);

        Answer answer = get(other.port, ID, "authorization", "Bearer " + TOKEN);

        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.error()).contains("router-0", "status 401", "security.managementToken");
    }

    @Test
    void an_unknown_router_is_named_and_nobody_is_asked() throws Exception {
        Router router = new Router("router-1", null).heard("router-2", peer(request -> {}));

        Answer answer = get(router.port, ID);

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.body().path("router").asText()).isEqualTo("router-0");
        assertThat(answer.error()).contains("router-0", "[router-2]", "ask its management port");
        assertThat(asked).isEmpty();
    }

    @Test
    void an_id_chooses_a_name_and_no_address() throws Exception {
        Router router = new Router("router-1", null).heard("router-2", peer(request -> {}));

        for (String id : List.of(
                "127.0.0.1:1-mb2k4v0q1c8", "http:%2F%2F127.0.0.1:1%2F-mb2k4v0q1c8", "router-2%2F..%2Fx-mb2k4v0q1c8")) {
            assertThat(get(router.port, id).status()).as(id).isEqualTo(404);
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void a_peer_that_is_gone_is_named_with_its_url() throws Exception {
        int nobody = FreePorts.take(1).getFirst();
        Router router = new Router("router-1", null).heard("router-0", nobody);

        Answer answer = get(router.port, ID);

        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.body().path("router").asText()).isEqualTo("router-0");
        assertThat(answer.body().path("url").asText()).isEqualTo("http://127.0.0.1:" + nobody);
        assertThat(answer.error())
                .contains("router-0", "http://127.0.0.1:" + nobody, "router.managementUrl", "gone with it");
    }

    @Test
    void a_router_that_does_not_tell_its_url_is_named() throws Exception {
        Router router = new Router("router-1", null).heard("router-0", (String) null);

        Answer answer = get(router.port, ID);

        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.error()).contains("router-0", "older version");
    }

    @Test
    void a_silent_peer_is_given_two_seconds() throws Exception {
        Router router = new Router("router-1", null).heard("router-0", peer(request -> request.response()
                .setChunked(true)
                .write("{")));

        long start = System.nanoTime();
        Answer answer = get(router.port, ID);

        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.error()).contains("no whole answer in 2000 ms");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void an_answer_is_bounded() throws Exception {
        Buffer large = Buffer.buffer("{\"a\":\"" + "x".repeat(1 << 20) + "\"}");
        Router router = new Router("router-1", null)
                .heard("router-0", peer(request -> request.response().end(large)));

        Answer answer = get(router.port, ID);

        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.error()).contains("more than 1048576 bytes");
    }

    @Test
    void what_is_no_page_is_not_passed_on_and_redirects_lead_nowhere() throws Exception {
        int trap = peer(request -> request.response().end("{}"));
        Router router = new Router("router-1", null).heard("router-0", peer(request -> request.response()
                .setStatusCode(302)
                .putHeader("location", "http://127.0.0.1:" + trap + "/")
                .end("<html>")));

        Answer answer = get(router.port, ID);

        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.error()).contains("status 302 without a page");
        assertThat(asked).hasSize(1);
    }

    @Test
    void addresses_that_lead_back_make_no_loop() throws Exception {
        Router first = new Router("router-1", null);
        Router second = new Router("router-2", null).heard("router-0", first.port);
        first.heard("router-0", second.port);

        Answer answer = get(first.port, ID);
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.error()).startsWith("router-1 asked router-2 for a decision of router-0: check");

        Router lone = new Router("router-3", null);
        lone.heard("router-0", lone.port);
        assertThat(get(lone.port, ID).error()).startsWith("router-3 asked router-3");
    }

    @Test
    void a_question_from_a_router_is_asked_of_nobody() throws Exception {
        Router router = new Router("router-1", null).heard("router-0", peer(request -> {}));

        assertThat(get(router.port, ID, PeerDecisions.ASKED_BY, "router-2").status())
                .isEqualTo(404);
        assertThat(asked).isEmpty();
    }

    private int peer(Handler<HttpServerRequest> handler) {
        return await(vertx.createHttpServer()
                        .requestHandler(request -> {
                            asked.add(new Asked(
                                    request.uri(),
                                    request.getHeader("authorization"),
                                    request.getHeader(PeerDecisions.ASKED_BY)));
                            handler.handle(request);
                        })
                        .listen(0, "127.0.0.1"))
                .actualPort();
    }

    private Answer get(int port, String id, String... headers) throws Exception {
        HttpResponse<String> response = send(port, id, headers);
        return new Answer(response.statusCode(), JSON.readTree(response.body()));
    }

    private int status(int port, String id) throws Exception {
        return send(port, id).statusCode();
    }

    private HttpResponse<String> send(int port, String id, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/debug/decisions/" + id));
        if (headers.length > 0) request.headers(headers);
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
