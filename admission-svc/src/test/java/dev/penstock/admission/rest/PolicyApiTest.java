package dev.penstock.admission.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.admission.policy.PolicyBook;
import dev.penstock.kit.management.PortTakenException;
import dev.penstock.model.Header;
import dev.penstock.model.PolicyRecord;
import dev.penstock.model.PolicyRecord.RateShare;
import dev.penstock.model.RelayPolicy;
import dev.penstock.model.RetryOn;
import dev.penstock.model.SessionNames;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PolicyApiTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final long NOW = 5_000_000_000L;

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient http = HttpClient.newHttpClient();
    private final PolicyBook book = new PolicyBook();

    @AfterEach
    void close() throws Exception {
        join(vertx.close());
    }

    @Test
    void a_policy_is_shown_in_requests_per_second() throws Exception {
        PolicyApi api = start(null);
        book.heard(record("a/m+1", 2_500L, false), NOW - 1_500_000_000L);

        JsonNode expected = new ObjectMapper().readTree("""
            {"model": "a/m+1", "aliases": ["x"], "strategy": "load-balance",
             "strategyOptions": {"k": null, "epsilon": 1.5}, "clientStrategies": ["random"], "slowStartMs": 30000,
             "session": {"headers": ["x-session-id"], "fields": ["user", "prompt_cache_key", "session_id"]},
             "deadlineMs": 120000, "retry": {"on": ["502", "reset"], "budget": 0.25},
             "stream": {"commitAfterMs": null, "firstByteMs": null, "idleMs": 30000}, "defaultMaxTokens": 512,
             "split": {"a/m+1": 95, "a/canary": 5}, "version": 3,
             "requestsPerSecondPerReplica": 2.5, "routableReplicas": 2, "limitRps": 5.0,
             "shares": {"router-0": 2.5, "router-1": 2.499}, "epoch": 7, "owner": true, "ageMs": 1500}\
            """);

        assertThat(body(get(api, "/v1/policies/a/m+1", null))).isEqualTo(expected);
        assertThat(body(get(api, "/v1/policies/a%2Fm%2B1", null))).isEqualTo(expected);
    }

    @Test
    void a_model_without_a_limit_has_no_rates() throws Exception {
        PolicyApi api = start(null);
        book.heard(record("m", null, false), NOW);

        JsonNode policy = body(get(api, "/v1/policies/m", null));

        assertThat(policy.path("requestsPerSecondPerReplica").isNull()).isTrue();
        assertThat(policy.path("limitRps").isNull()).isTrue();
    }

    @Test
    void a_model_that_is_gone_is_unknown() throws Exception {
        PolicyApi api = start(null);
        book.heard(record("m", null, true), NOW);

        HttpResponse<String> answer = get(api, "/v1/policies/m", null);

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(body(answer).toString())
                .isEqualTo("{\"error\":{\"message\":\"No policy for model 'm'.\",\"type\":\"invalid_request_error\","
                        + "\"param\":null,\"code\":\"model_not_found\"}}");
        assertThat(body(get(api, "/v1/policies", null)).path("data")).isEmpty();
        assertThat(get(api, "/v2", null).statusCode()).isEqualTo(404);
    }

    @Test
    void with_a_token_only_who_shows_it_is_answered() throws Exception {
        PolicyApi api = start(TOKEN);

        assertThat(get(api, "/v1/policies", null).statusCode()).isEqualTo(401);
        assertThat(get(api, "/v1/policies", "Bearer another").statusCode()).isEqualTo(401);
        assertThat(get(api, "/v1/policies", "Bearer " + TOKEN).statusCode()).isEqualTo(200);
    }

    @Test
    void a_taken_port_is_named() throws Exception {
        PolicyApi api = start(null);
        // one Vert.x would share the port
        Vertx other = Vertx.vertx();

        try {
            PolicyApi second = new PolicyApi(book, () -> false, () -> NOW, null);
            assertThatThrownBy(() -> join(second.listen(other, "127.0.0.1", api.port())))
                    .hasCauseInstanceOf(PortTakenException.class)
                    .hasMessageContaining("restPort");
        } finally {
            join(other.close());
        }
    }

    private PolicyApi start(@Nullable String token) throws Exception {
        return join(new PolicyApi(book, () -> true, () -> NOW, token).listen(vertx, "127.0.0.1", 0));
    }

    private HttpResponse<String> get(PolicyApi api, String path, @Nullable String authorization) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api.port() + path));
        if (authorization != null) request.header("authorization", authorization);
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static JsonNode body(HttpResponse<String> answer) throws Exception {
        return new ObjectMapper().readTree(answer.body());
    }

    private static PolicyRecord record(String model, @Nullable Long milliRps, boolean gone) {
        return new PolicyRecord(
                new Header("admission", 1, 0, 7, 0),
                model,
                List.of("x"),
                new PolicyRecord.Strategies(
                        "load-balance",
                        null,
                        1_500L,
                        List.of("random"),
                        30_000L,
                        SessionNames.DEFAULT,
                        "approximate",
                        null,
                        new RelayPolicy(
                                120_000,
                                Set.of(RetryOn.RESET, RetryOn.STATUS_502),
                                0.25,
                                0,
                                512,
                                List.of(new RelayPolicy.Split("a/m+1", 95), new RelayPolicy.Split("a/canary", 5)),
                                0,
                                30_000)),
                milliRps,
                2,
                milliRps == null
                        ? List.of()
                        : List.of(new RateShare("router-0", 2_500), new RateShare("router-1", 2_499)),
                3,
                gone);
    }

    private static <T> T join(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(5, TimeUnit.SECONDS);
    }
}
