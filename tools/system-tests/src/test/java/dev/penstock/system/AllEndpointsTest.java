package dev.penstock.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.errors.NotFoundException;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCountTokensParams;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.RawMessageStreamEvent;
import com.anthropic.models.messages.StopReason;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.core.http.HttpResponse;
import com.openai.models.audio.transcriptions.TranscriptionCreateParams;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.completions.CompletionCreateParams;
import com.openai.models.embeddings.EmbeddingCreateParams;
import com.openai.models.images.ImageGenerateParams;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseStatus;
import com.openai.models.responses.ResponseStreamEvent;
import dev.penstock.enginesim.EngineKind;
import dev.penstock.enginesim.engine.ReceivedForm;
import dev.penstock.testkit.Form;
import dev.penstock.testkit.RawHttp;
import dev.penstock.testkit.Sha256;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every endpoint, asked by the clients that people have, of both kinds of engine: what they read is what the engine wrote, and
 * what they upload is what the engine read, by the engine's own digests.
 */
class AllEndpointsTest {
    private static final int TOKENS = 12;
    private static final int UPLOAD_BYTES = 20 << 20;

    @TempDir
    static Path data;

    private static Engines engines;
    private static Suite suite;
    private static OpenAIClient openai;
    private static AnthropicClient anthropic;

    @BeforeAll
    static void up() throws Exception {
        engines = Engines.start(1, EngineKind.VLLM, EngineKind.SGLANG);
        suite = Suite.start(data, 1, engines.count(), "--replicas", engines.file(data));
        String url = "http://127.0.0.1:" + port();
        openai = OpenAIOkHttpClient.builder()
                .baseUrl(url + "/v1")
                .apiKey("unused")
                .maxRetries(0)
                .build();
        anthropic = AnthropicOkHttpClient.builder()
                .baseUrl(url)
                .apiKey("unused")
                .maxRetries(0)
                .build();
    }

    @AfterAll
    static void down() throws Exception {
        if (openai != null) openai.close();
        if (anthropic != null) anthropic.close();
        Suite.close(suite, engines);
    }

    @ParameterizedTest
    @EnumSource(names = {"VLLM", "SGLANG"})
    void chats(EngineKind kind) throws Exception {
        ChatCompletionCreateParams chat = ChatCompletionCreateParams.builder()
                .model(Engines.model(kind))
                .maxCompletionTokens(TOKENS)
                .addUserMessage("hello")
                .build();

        var whole = openai.chat().completions().create(chat);
        String streamed;
        try (var stream = openai.chat().completions().createStreaming(chat)) {
            streamed = stream.stream().map(AllEndpointsTest::content).collect(Collectors.joining());
        }

        assertThat(whole.choices().getFirst().message().content()).contains(streamed);
        assertThat(streamed).isNotBlank();
        assertThat(whole.usage().orElseThrow().completionTokens()).isEqualTo(TOKENS);
        assertSameAsSent(openai.chat().completions().withRawResponse().create(chat));
        assertSameAsSent(openai.chat().completions().withRawResponse().createStreaming(chat));
    }

    private static String content(ChatCompletionChunk chunk) {
        return chunk.choices().stream()
                .map(choice -> choice.delta().content().orElse(""))
                .collect(Collectors.joining());
    }

    @ParameterizedTest
    @EnumSource(names = {"VLLM", "SGLANG"})
    void completions_and_embeddings(EngineKind kind) throws Exception {
        CompletionCreateParams completion = CompletionCreateParams.builder()
                .model(Engines.model(kind))
                .prompt("hello")
                .maxTokens(TOKENS)
                .build();
        EmbeddingCreateParams embedding = EmbeddingCreateParams.builder()
                .model(Engines.model(kind))
                .input("hello")
                .build();

        assertThat(openai.completions().create(completion).choices().getFirst().text())
                .isNotBlank();
        assertThat(openai.embeddings().create(embedding).data().getFirst().embedding())
                .isNotEmpty();
        assertSameAsSent(openai.completions().withRawResponse().create(completion));
        assertSameAsSent(openai.completions().withRawResponse().createStreaming(completion));
        assertSameAsSent(openai.embeddings().withRawResponse().create(embedding));
    }

    /** Ids of responses are the router's own, so that their bytes differ from the engine's. */
    @ParameterizedTest
    @EnumSource(names = {"VLLM", "SGLANG"})
    void responses(EngineKind kind) {
        ResponseCreateParams params = ResponseCreateParams.builder()
                .model(Engines.model(kind))
                .input("hello")
                .maxOutputTokens(TOKENS)
                .build();

        Response whole = openai.responses().create(params);
        List<ResponseStreamEvent> events;
        try (var stream = openai.responses().createStreaming(params)) {
            events = stream.stream().toList();
        }

        Response streamed =
                events.getLast().completed().map(end -> end.response()).orElseThrow();
        String deltas = events.stream()
                .flatMap(event -> event.outputTextDelta().stream())
                .map(delta -> delta.delta())
                .collect(Collectors.joining());
        assertThat(List.of(whole, streamed)).allSatisfy(response -> {
            assertThat(response.status()).contains(ResponseStatus.COMPLETED);
            assertThat(response.usage().orElseThrow().outputTokens()).isEqualTo(TOKENS);
            assertThat(text(response)).isNotBlank().isEqualTo(deltas);
        });
    }

    private static String text(Response response) {
        return response.output()
                .getFirst()
                .asMessage()
                .content()
                .getFirst()
                .asOutputText()
                .text();
    }

    @ParameterizedTest
    @EnumSource(names = {"VLLM", "SGLANG"})
    void transcriptions(EngineKind kind) throws Exception {
        Path sound = Files.write(data.resolve("it.wav"), bytes(100_000));

        assertThat(openai.audio()
                        .transcriptions()
                        .create(transcription(kind, sound))
                        .asTranscription()
                        .text())
                .isNotBlank();
        String requestId = assertSameAsSent(
                openai.audio().transcriptions().withRawResponse().create(transcription(kind, sound)));
        assertThat(received(kind, requestId).files()).singleElement().satisfies(file -> assertThat(file.sha256())
                .isEqualTo(Sha256.hex(bytes(100_000))));
    }

    /** Good for one request: the file is open. */
    private static TranscriptionCreateParams transcription(EngineKind kind, Path sound) {
        return TranscriptionCreateParams.builder()
                .model(Engines.model(kind))
                .file(sound)
                .build();
    }

    @ParameterizedTest
    @EnumSource(names = {"VLLM", "SGLANG"})
    void images(EngineKind kind) throws Exception {
        ImageGenerateParams params = ImageGenerateParams.builder()
                .model(Engines.model(kind))
                .prompt("a mill")
                .n(2)
                .putAdditionalBodyProperty("num_inference_steps", JsonValue.from(2))
                .build();
        byte[] form = new Form()
                .field("model", Engines.model(kind))
                .field("prompt", "a mill")
                .field("num_inference_steps", "2")
                .file("image", bytes(3_000))
                .bytes();

        assertThat(openai.images().generate(params).data().orElseThrow())
                .hasSize(2)
                .allSatisfy(image -> assertThat(
                                Base64.getDecoder().decode(image.b64Json().orElseThrow()))
                        .isNotEmpty());
        assertSameAsSent(openai.images().withRawResponse().generate(params));
        RawHttp.Response edited = upload("/v1/images/edits", form);
        assertSameAsSent(edited);
        assertThat(received(kind, edited.header("x-request-id")).sha256()).isEqualTo(Sha256.hex(form));
    }

    @ParameterizedTest
    @CsvSource({"VLLM,true", "VLLM,false", "SGLANG,true", "SGLANG,false"})
    void large_uploads_whether_the_model_comes_first_or_last(EngineKind kind, boolean modelFirst) throws Exception {
        byte[] sound = bytes(UPLOAD_BYTES);
        Form parts = new Form();
        if (modelFirst) parts.field("model", Engines.model(kind));
        parts.file("file", sound).field("prompt", "größer");
        if (!modelFirst) parts.field("model", Engines.model(kind));
        byte[] form = parts.bytes();

        RawHttp.Response answer = upload("/v1/audio/transcriptions", form);

        assertSameAsSent(answer);
        ReceivedForm received = received(kind, answer.header("x-request-id"));
        assertThat(received.bytes()).isEqualTo(form.length);
        assertThat(received.sha256()).isEqualTo(Sha256.hex(form));
        assertThat(received.fields()).containsEntry("prompt", "größer");
        assertThat(received.files()).singleElement().satisfies(file -> assertThat(file.sha256())
                .isEqualTo(Sha256.hex(sound)));
    }

    @ParameterizedTest
    @EnumSource(names = {"VLLM", "SGLANG"})
    void messages(EngineKind kind) throws Exception {
        MessageCreateParams params = MessageCreateParams.builder()
                .model(Engines.model(kind))
                .system("be brief")
                .addUserMessage("hello")
                .maxTokens(TOKENS)
                .build();

        Message whole = anthropic.messages().create(params);
        List<RawMessageStreamEvent> events;
        try (var stream = anthropic.messages().createStreaming(params)) {
            events = stream.stream().toList();
        }
        long counted = anthropic
                .messages()
                .countTokens(MessageCountTokensParams.builder()
                        .model(Engines.model(kind))
                        .addUserMessage("hello, engine")
                        .build())
                .inputTokens();

        String deltas = events.stream()
                .flatMap(event -> event.contentBlockDelta().stream())
                .map(delta -> delta.delta().asText().text())
                .collect(Collectors.joining());
        assertThat(whole.stopReason()).contains(StopReason.MAX_TOKENS);
        assertThat(whole.usage().outputTokens()).isEqualTo(TOKENS);
        assertThat(whole.content().getFirst().asText().text()).isNotBlank().isEqualTo(deltas);
        assertThat(events.getLast().isMessageStop()).isTrue();
        assertThat(counted).isEqualTo(3);
        assertSameAsSent(anthropic.messages().withRawResponse().create(params));
        assertSameAsSent(anthropic.messages().withRawResponse().createStreaming(params));
    }

    @Test
    void errors_of_messages_have_anthropics_envelope() throws Exception {
        MessageCreateParams params = MessageCreateParams.builder()
                .model("sim/unknown")
                .addUserMessage("hello")
                .maxTokens(TOKENS)
                .build();

        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> anthropic.messages().create(params));
        RawHttp.Response refused = post("/v1/messages", "{\"model\":\"sim/unknown\",\"messages\":[]}");

        JsonObject body = new JsonObject(refused.bodyText());
        assertThat(refused.status()).isEqualTo(404);
        assertThat(body.getString("type")).isEqualTo("error");
        assertThat(body.getJsonObject("error").getString("type")).isEqualTo("not_found_error");
        assertThat(body.getString("request_id")).isEqualTo(refused.header("x-request-id"));
    }

    @ParameterizedTest
    @CsvSource({"VLLM,/v1/messages", "SGLANG,/v1/messages", "VLLM,/v1/chat/completions", "SGLANG,/v1/chat/completions"})
    void so_do_those_of_engines_and_others_have_openais(EngineKind kind, String path) throws Exception {
        RawHttp.Response refused = post(path, "{\"model\":\"" + Engines.model(kind) + "\",\"messages\":[]}");

        assertThat(refused.status()).isEqualTo(400);
        JsonObject body = new JsonObject(refused.bodyText());
        if (path.equals("/v1/messages")) assertThat(body.getString("type")).isEqualTo("error");
        assertThat(body.getJsonObject("error").getString("message")).contains("validation error");
    }

    @ParameterizedTest
    @EnumSource(names = {"VLLM", "SGLANG"})
    void rankings(EngineKind kind) throws Exception {
        RawHttp.Response ranked =
                post("/v1/rerank", body(kind, "\"query\":\"water\",\"documents\":[\"a mill\",\"a river\"]"));

        assertSameAsSent(ranked);
        JsonArray results = kind == EngineKind.SGLANG
                ? new JsonArray(ranked.bodyText())
                : new JsonObject(ranked.bodyText()).getJsonArray("results");
        assertThat(results).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"VLLM", "SGLANG"})
    void scores(EngineKind kind) throws Exception {
        String fields = kind == EngineKind.SGLANG
                ? "\"query\":\"a\",\"items\":[\"b\",\"c\"],\"label_token_ids\":[1,2]"
                : "\"text_1\":\"a\",\"text_2\":[\"b\",\"c\"]";

        RawHttp.Response scored = post("/v1/score", body(kind, fields));

        assertSameAsSent(scored);
        assertThat(new JsonObject(scored.bodyText()).getJsonArray(kind == EngineKind.SGLANG ? "scores" : "data"))
                .hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"VLLM", "SGLANG"})
    void tokens(EngineKind kind) throws Exception {
        RawHttp.Response tokens = post("/tokenize", body(kind, "\"prompt\":\"12345678\""));

        assertSameAsSent(tokens);
        assertThat(new JsonObject(tokens.bodyText()).getJsonArray("tokens")).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"VLLM", "SGLANG"})
    void speech_comes_in_chunks(EngineKind kind) throws Exception {
        RawHttp.Response speech = post(
                "/v1/audio/speech", body(kind, "\"input\":\"hello\",\"voice\":\"a\",\"max_new_tokens\":" + TOKENS));

        assertSameAsSent(speech);
        assertThat(speech.header("content-type")).isEqualTo("audio/mpeg");
        assertThat(speech.header("transfer-encoding")).isEqualTo("chunked");
        assertThat(speech.body()).hasSize(TOKENS * 640);
    }

    @Test
    void models_are_listed_and_told_by_name() throws Exception {
        JsonObject listed = new JsonObject(Suite.get(port(), "/v1/models"));

        assertThat(listed.getJsonArray("data").stream().map(each -> ((JsonObject) each).getString("id")))
                .containsExactly("sim/sglang", "sim/vllm");
        for (String path : List.of("/v1/models/sim/vllm", "/v1/models/sim%2Fvllm")) {
            assertThat(new JsonObject(Suite.get(port(), path)))
                    .isEqualTo(listed.getJsonArray("data").getJsonObject(1));
        }
        assertThat(openai.models().list().data()).hasSize(2);
        assertThat(openai.models().retrieve("sim/vllm").id()).isEqualTo("sim/vllm");
    }

    private static int port() {
        return suite.routerPorts().getFirst();
    }

    private static String body(EngineKind kind, String fields) {
        return "{\"model\":\"" + Engines.model(kind) + "\"," + fields + "}";
    }

    private static RawHttp.Response post(String path, String body) throws IOException {
        return RawHttp.exchange(port(), Suite.post(path, body), Suite.ANSWER_TIMEOUT);
    }

    private static RawHttp.Response upload(String path, byte[] form) throws IOException {
        try (RawHttp http = RawHttp.connect(port())) {
            return http.send(formHead(path, form.length)).send(form).readResponse(Suite.ANSWER_TIMEOUT);
        }
    }

    private static String formHead(String path, int bytes) {
        return "POST " + path + " HTTP/1.1\r\nhost: penstock\r\n" + Form.TYPE + "\r\ncontent-length: " + bytes
                + "\r\n\r\n";
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new Random(count).nextBytes(bytes);
        return bytes;
    }

    private static ReceivedForm received(EngineKind kind, String requestId) {
        ReceivedForm received = engines.only(kind).receivedForm(requestId + "-a1");
        assertThat(received).as("a form of " + requestId).isNotNull();
        return received;
    }

    private static void assertSameAsSent(RawHttp.Response answer) {
        assertThat(answer.status()).as(answer.bodyText()).isEqualTo(200);
        assertThat(answer.complete()).isTrue();
        engines.assertSameAsSent(answer.header("x-penstock-replica"), answer.header("x-request-id"), answer.body());
    }

    /** Returns the request's id. */
    private static String assertSameAsSent(HttpResponse answer) throws IOException {
        try (answer) {
            String requestId = answer.headers().values("x-request-id").getFirst();
            engines.assertSameAsSent(
                    answer.headers().values("x-penstock-replica").getFirst(),
                    requestId,
                    answer.body().readAllBytes());
            return requestId;
        }
    }

    private static void assertSameAsSent(com.anthropic.core.http.HttpResponse answer) throws IOException {
        try (answer) {
            engines.assertSameAsSent(
                    answer.headers().values("x-penstock-replica").getFirst(),
                    answer.headers().values("x-request-id").getFirst(),
                    answer.body().readAllBytes());
        }
    }
}
