package dev.penstock.kit.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ManagementServerTest {
    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Readiness readiness = new Readiness();
    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ObjectNode config = JsonNodeFactory.instance.objectNode().put("a", 1);
    private final Map<String, Supplier<JsonNode>> pages = Map.of("view", () -> TextNode.valueOf("seen"), "bad", () -> {
        throw new IllegalStateException("broken page");
    });

    @AfterEach
    void close() {
        client.close();
        join(vertx.close());
    }

    @Test
    void pages_answer() throws Exception {
        meters.counter("penstock_bus_dropped_total", "topic", "t").increment();
        int port = join(start(0)).port();

        assertThat(get(port, "/livez").statusCode()).isEqualTo(200);
        assertThat(get(port, "/metrics").body()).contains("penstock_bus_dropped_total{topic=\"t\"} 1.0");
        assertThat(get(port, "/debug/config").body()).contains("\"a\" : 1");
        assertThat(get(port, "/debug/view").body()).isEqualTo("\"seen\"\n");
        assertThat(get(port, "/debug/bad").statusCode()).isEqualTo(500);
        assertThat(get(port, "/nothing").statusCode()).isEqualTo(404);
    }

    @Test
    void a_page_about_one_of_many_things_gets_its_name_and_the_headers() throws Exception {
        ItemPage page = (item, headers) -> Future.succeededFuture(
                new ItemPage.Answer(404, TextNode.valueOf("no " + item + " for " + headers.get("x-who"))));
        int port = join(ManagementServer.start(
                        vertx, "127.0.0.1", 0, readiness, meters, config, pages, Map.of("things", page), null))
                .port();

        HttpResponse<String> answer = client.send(
                request(port, "/debug/things/a%20b").header("x-who", "me").build(),
                HttpResponse.BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body()).isEqualTo("\"no a b for me\"\n");
    }

    @Test
    void readiness_follows_its_conditions_until_draining() throws Exception {
        Condition roster = readiness.condition("roster", "not read yet");
        int port = join(start(0)).port();
        HttpResponse<String> before = get(port, "/readyz");
        assertThat(before.statusCode()).isEqualTo(503);
        assertThat(before.body()).contains("not read yet");

        roster.ok();
        assertThat(get(port, "/readyz").statusCode()).isEqualTo(200);
        readiness.draining();

        assertThat(get(port, "/readyz").statusCode()).isEqualTo(503);
    }

    @Test
    void taken_port_is_named() {
        int port = join(start(0)).port();

        assertThatThrownBy(() -> join(start(port)))
                .hasRootCauseInstanceOf(PortTakenException.class)
                .hasMessageContaining("port " + port + " is taken");
    }

    @Test
    void token_guards_all_but_the_probes() throws Exception {
        int port = join(ManagementServer.start(vertx, "127.0.0.1", 0, readiness, meters, config, pages, "s3"))
                .port();

        assertThat(get(port, "/livez").statusCode()).isEqualTo(200);
        assertThat(get(port, "/metrics").statusCode()).isEqualTo(401);
        assertThat(client.send(
                                request(port, "/metrics")
                                        .header("authorization", "Bearer s3")
                                        .build(),
                                HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
    }

    private Future<ManagementServer> start(int port) {
        return ManagementServer.start(vertx, "127.0.0.1", port, readiness, meters, config, pages, null);
    }

    private HttpResponse<String> get(int port, String path) throws Exception {
        return client.send(request(port, path).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(int port, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    private static <T> T join(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }
}
