package dev.penstock.advisor.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.advisor.Served;
import io.vertx.core.http.HttpServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdviceApiTest {
    private static final String PATH = "/v1/pools/local/llama-3-8b/recommendation";

    private final Served served = new Served(3);
    private final HttpClient http = HttpClient.newHttpClient();
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        AdviceApi api = new AdviceApi(served.recommendations, answer -> {});
        server = Served.join(served.on(() -> api.listen(served.vertx, "127.0.0.1", 0)));
    }

    @AfterEach
    void stop() throws Exception {
        served.close();
    }

    @Test
    void a_recommendation() throws Exception {
        served.publish(17, true);
        served.clock.advance(Duration.ofMillis(140));

        assertAnswer("GET", PATH, 200, """
            {"desiredReplicas":17,"replicas":3,"demand":412.5,"components":{"needed":17.0},\
            "active":true,"epoch":7,"ageMs":140,"stale":false}\
            """);
    }

    @Test
    void a_stale_one_holds_and_then_is_refused() throws Exception {
        served.publish(17, true);
        served.clock.advance(Duration.ofSeconds(4));
        assertAnswer("GET", PATH, 200, """
            {"desiredReplicas":3,"replicas":3,"demand":412.5,"components":{"needed":17.0},"active":true,\
            "epoch":7,"ageMs":4000,"stale":true,"hold":true,"reason":"the last recommendation is 4 s old"}\
            """);

        served.clock.advance(Duration.ofSeconds(27));
        assertAnswer("GET", PATH, 503, "{\"hold\":true,\"reason\":\"the last recommendation is 31 s old\"}");
    }

    @Test
    void a_pool_that_nothing_was_published_for_is_held_and_an_unknown_one_is_not_found() throws Exception {
        assertAnswer(
                "GET",
                "/v1/pools/local/silent/recommendation",
                503,
                "{\"hold\":true,\"reason\":\"no recommendation has been read yet\"}");
        assertThat(send("GET", "/v1/pools/local/nowhere/recommendation").statusCode())
                .isEqualTo(404);
        assertThat(send("GET", "/v1/other").statusCode()).isEqualTo(404);
    }

    @Test
    void only_get_is_allowed() throws Exception {
        for (String method : new String[] {"POST", "PUT", "DELETE", "PATCH"}) {
            assertThat(send(method, PATH).statusCode()).isEqualTo(405);
            assertThat(send(method, "/v1/pools").statusCode()).isEqualTo(405);
        }
        assertThat(send("POST", PATH).headers().firstValue("allow")).contains("GET");
    }

    @Test
    void the_list_has_every_known_pool() throws Exception {
        served.publish(17, true);
        assertAnswer("GET", "/v1/pools", 200, """
            {"pools":[{"namespace":"local","pool":"llama-3-8b","desiredReplicas":17,"replicas":3,"demand":412.5,\
            "components":{"needed":17.0},"active":true,"epoch":7,"ageMs":0,"stale":false},\
            {"namespace":"local","pool":"silent","hold":true,"reason":"no recommendation has been read yet"}]}\
            """);
    }

    private void assertAnswer(String method, String path, int status, String body) throws Exception {
        HttpResponse<String> response = send(method, path);
        ObjectMapper json = new ObjectMapper();
        assertThat(json.readTree(response.body())).isEqualTo(json.readTree(body));
        assertThat(response.statusCode()).isEqualTo(status);
    }

    private HttpResponse<String> send(String method, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.actualPort() + path);
        return http.send(
                HttpRequest.newBuilder(uri)
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
