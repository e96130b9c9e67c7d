package dev.penstock.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.RawHttp;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** 4 replicas at 5 requests per second each, over two routers: 20 per second are admitted, the rest told when to return. */
class RateLimitTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    static Path data;

    private static Suite suite;

    @BeforeAll
    static void up() throws Exception {
        Path config = data.resolve("penstock.yaml");
        Files.writeString(config, """
            models:
              - {name: sim/llama-3-8b, aliases: [fast], requestsPerSecondPerReplica: 5}
            """);
        suite = Suite.start(data, 2, 4, "--engines", "4", "--config", config.toString());
        Await.until("both routers have their share", SOON, () -> policy().getJsonObject("shares")
                .equals(new JsonObject().put("router-0", 10.0).put("router-1", 10.0)));
    }

    @AfterAll
    static void down() {
        suite.close();
    }

    @Test
    void twice_the_rate_admits_the_rate_and_the_limit_follows_the_replicas() throws Exception {
        List<OpenLoad.Result> results;
        long startedNanos = System.nanoTime();
        long endedNanos;
        try (OpenLoad first = new OpenLoad(suite.routerPorts().get(0), 20);
                OpenLoad second = new OpenLoad(suite.routerPorts().get(1), 20)) {
            Await.until(
                    "400 requests",
                    Duration.ofSeconds(60),
                    () -> first.results().size() + second.results().size() >= 400);
            endedNanos = System.nanoTime();
            results = Stream.concat(first.results().stream(), second.results().stream())
                    .toList();
        }
        double seconds = (endedNanos - startedNanos) / 1e9;
        long admitted = results.stream().filter(OpenLoad.Result::served).count();
        long refused = results.stream().filter(r -> r.what().contains(" 429")).count();

        assertThat(admitted + refused).isEqualTo(results.size());
        // 20 per second, and half a second's burst at each router
        assertThat((double) admitted).isBetween(0.9 * 20 * seconds, 1.1 * 20 * seconds + 10);

        suite.fault("engine-1", "error", "500");
        try (OpenLoad load = new OpenLoad(suite.routerPorts().get(0), 20)) {
            Await.until("the limit of three replicas", SOON, () -> policy().getDouble("limitRps") == 15);
            assertThat(load.results()).isNotEmpty();
        }
        suite.clear("engine-1");
    }

    @Test
    void openai_java_waits_as_it_is_told_and_gets_its_answer() throws Exception {
        RawHttp.Response refused = Await.value(
                "a refusal", SOON, () -> chat(suite.routerPorts().get(1)), answer -> answer.status() == 429);
        assertThat(refused.bodyText()).contains("\"code\":\"rate_limit_exceeded\"");
        assertThat(Integer.parseInt(refused.header("retry-after"))).isBetween(1, 30);
        assertThat(Integer.parseInt(refused.header("retry-after-ms"))).isBetween(250, 30_000);

        OpenAIClient client = OpenAIOkHttpClient.builder()
                .baseUrl("http://127.0.0.1:" + suite.routerPorts().get(1) + "/v1")
                .apiKey("unused")
                .maxRetries(5)
                .build();
        String answer = client.chat()
                .completions()
                .create(ChatCompletionCreateParams.builder()
                        .model("fast")
                        .addUserMessage("hello")
                        .maxCompletionTokens(4)
                        .build())
                .choices()
                .getFirst()
                .message()
                .content()
                .orElseThrow();
        assertThat(answer).isNotBlank();
    }

    private static RawHttp.Response chat(int port) {
        try {
            return RawHttp.exchange(port, Suite.chat(false, 1), Suite.ANSWER_TIMEOUT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonObject policy() {
        try {
            JsonObject policy =
                    new JsonObject(Suite.get(suite.servicePort("admission-0"), "/v1/policies/" + Suite.MODEL));
            return policy.containsKey("shares") ? policy : policy.put("shares", new JsonObject());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
