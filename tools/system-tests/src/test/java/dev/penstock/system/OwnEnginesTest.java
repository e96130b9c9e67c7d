package dev.penstock.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.embeddings.EmbeddingCreateParams;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.ChildJvm;
import dev.penstock.testkit.FreePorts;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Engines in processes of their own, fronted by {@code up --engine}, asked by a real SDK, killed for real. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OwnEnginesTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String MODEL = "sim/llama-3-8b";

    @TempDir
    static Path data;

    private static ChildJvm first;
    private static ChildJvm second;
    private static ChildJvm stack;
    private static int router;

    @BeforeAll
    static void up() throws Exception {
        List<Integer> ports = FreePorts.take(4);
        router = ports.get(2);
        first = engine(ports.get(0));
        second = engine(ports.get(1));
        stack = ChildJvm.of("dev.penstock.localstack.LocalStackMain")
                .args(
                        "--engine",
                        "http://127.0.0.1:" + ports.get(0),
                        "--engine",
                        "http://127.0.0.1:" + ports.get(1),
                        "--routers",
                        "1",
                        "--port",
                        String.valueOf(router),
                        "--collector-port",
                        String.valueOf(ports.get(3)),
                        "--data",
                        data.toString())
                .start();
        Await.until("both engines answer through the router", SOON, () -> replicaOf(post())
                .equals("engine-0"));
        Await.until("both engines answer through the router", SOON, () -> replicaOf(post())
                .equals("engine-1"));
    }

    @AfterAll
    static void down() {
        stack.close();
        first.close();
        second.close();
    }

    @Test
    @Order(1)
    void openai_java_completes_chats_streams_and_embeddings() {
        OpenAIClient client = OpenAIOkHttpClient.builder()
                .baseUrl("http://127.0.0.1:" + router + "/v1")
                .apiKey("unused")
                .maxRetries(0)
                .build();
        ChatCompletionCreateParams chat = ChatCompletionCreateParams.builder()
                .model(MODEL)
                .maxCompletionTokens(12)
                .addUserMessage("hello")
                .build();

        assertThat(client.chat()
                        .completions()
                        .create(chat)
                        .choices()
                        .getFirst()
                        .message()
                        .content())
                .isPresent();
        StringBuilder streamed = new StringBuilder();
        try (var stream = client.chat().completions().createStreaming(chat)) {
            stream.stream()
                    .flatMap(chunk -> chunk.choices().stream())
                    .forEach(choice -> choice.delta().content().ifPresent(streamed::append));
        }
        assertThat(streamed.toString()).isNotBlank();
        var embeddings = client.embeddings()
                .create(EmbeddingCreateParams.builder()
                        .model(MODEL)
                        .input("hello")
                        .build());
        assertThat(embeddings.data().getFirst().embedding()).isNotEmpty();
        client.close();
    }

    @Test
    @Order(2)
    void an_engine_killed_while_idle_costs_no_request() throws Exception {
        second.kill9();

        for (int i = 0; i < 50; i++) {
            HttpResponse<String> response = post();
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(replicaOf(response)).isEqualTo("engine-0");
        }
    }

    private static ChildJvm engine(int port) throws Exception {
        ChildJvm engine = ChildJvm.of("dev.penstock.enginesim.EngineSimMain")
                .args("--port", String.valueOf(port), "--model", MODEL)
                .start();
        engine.awaitLine("ready at", SOON);
        return engine;
    }

    private static String replicaOf(HttpResponse<String> response) {
        return response.headers().firstValue("x-penstock-replica").orElse("none");
    }

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static HttpResponse<String> post() {
        try {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + router + "/v1/chat/completions"))
                    .header("content-type", "application/json")
                    .POST(
                            HttpRequest.BodyPublishers.ofString(
                                    "{\"model\":\"" + MODEL
                                            + "\",\"stream\":true,\"max_tokens\":4,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}"))
                    .build();
            return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
