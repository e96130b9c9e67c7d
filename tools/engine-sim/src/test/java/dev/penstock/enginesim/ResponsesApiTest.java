package dev.penstock.enginesim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.http.StreamResponse;
import com.openai.models.embeddings.EmbeddingCreateParams;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseStatus;
import com.openai.models.responses.ResponseStreamEvent;
import dev.penstock.enginesim.fault.Fault;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code /v1/responses} of both engines, by hand and with OpenAI's client. */
class ResponsesApiTest {
    private static final String RESPONSES = "/v1/responses";
    private static final Duration SOON = Duration.ofSeconds(5);

    private RunningFleet running;

    @AfterEach
    void stop() {
        running.close();
    }

    private JsonNode create(String fields) throws Exception {
        HttpResponse<String> response = running.post(RESPONSES, "{\"input\":\"hello, engine\"" + fields + "}");
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return running.json(response);
    }

    private JsonNode stored(String id) throws Exception {
        return running.json(running.get(RESPONSES + "/" + id));
    }

    @ParameterizedTest
    @EnumSource(
            value = EngineKind.class,
            names = {"VLLM", "SGLANG"})
    void a_response_is_stored_as_it_was_answered_until_it_is_deleted(EngineKind kind) throws Exception {
        running = RunningFleet.ofKind(kind);

        JsonNode answered = create(",\"max_output_tokens\":4");
        String id = answered.path("id").asText();

        assertThat(id).startsWith("resp_");
        assertThat(answered.path("status").asText()).isEqualTo("completed");
        assertThat(answered.path("usage").path("output_tokens").asInt()).isEqualTo(4);
        assertThat(answered.path("usage").path("total_tokens").asInt()).isEqualTo(7);
        assertThat(stored(id)).isEqualTo(answered);
        assertThat(running.json(running.call("DELETE", RESPONSES + "/" + id))
                        .path("deleted")
                        .asBoolean())
                .isTrue();
        assertThat(running.get(RESPONSES + "/" + id).statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @EnumSource(
            value = EngineKind.class,
            names = {"VLLM", "SGLANG"})
    void what_a_stream_told_is_stored_and_what_should_not_be_is_not(EngineKind kind) throws Exception {
        running = RunningFleet.ofKind(kind);

        running.post(RESPONSES, "{\"input\":\"a\",\"stream\":true,\"max_output_tokens\":3}", "X-Request-Id", "s-1");
        running.post(RESPONSES, "{\"input\":\"a\",\"store\":false,\"max_output_tokens\":3}", "X-Request-Id", "s-2");

        assertThat(stored("resp_s-1").path("status").asText()).isEqualTo("completed");
        assertThat(running.get(RESPONSES + "/resp_s-2").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @EnumSource(
            value = EngineKind.class,
            names = {"VLLM", "SGLANG"})
    void a_response_goes_on_from_one_that_is_known(EngineKind kind) throws Exception {
        running = RunningFleet.ofKind(kind);
        String first = create(",\"max_output_tokens\":20").path("id").asText();

        JsonNode next = create(",\"max_output_tokens\":1,\"previous_response_id\":\"" + first + "\"");
        HttpResponse<String> lost =
                running.post(RESPONSES, "{\"input\":\"x\",\"previous_response_id\":\"resp_elsewhere\"}");

        assertThat(next.path("usage").path("input_tokens").asInt()).isGreaterThan(20);
        assertThat(next.path("previous_response_id").asText()).isEqualTo(first);
        assertThat(lost.statusCode()).isEqualTo(404);
        assertThat(running.json(lost).path("error").path("message").asText())
                .isEqualTo("Response with id 'resp_elsewhere' not found.");
    }

    @ParameterizedTest
    @EnumSource(
            value = EngineKind.class,
            names = {"VLLM", "SGLANG"})
    void a_background_response_is_queued_then_in_progress_then_completed(EngineKind kind) throws Exception {
        running = RunningFleet.ofKind(kind);
        running.fault(new Fault.Stall());

        String id = create(",\"background\":true,\"max_output_tokens\":200")
                .path("id")
                .asText();

        assertThat(stored(id).path("status").asText()).isEqualTo("queued");
        assertThat(running.engine.state().inflight()).isZero();
        running.clearFault();
        RunningFleet.awaitUntil("in progress", SOON, () -> status(id).equals("in_progress"));
        RunningFleet.awaitUntil("completed", SOON, () -> status(id).equals("completed"));
        assertThat(stored(id).path("usage").path("output_tokens").asInt()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource(
            value = EngineKind.class,
            names = {"VLLM", "SGLANG"})
    void a_background_response_can_be_cancelled_and_others_cannot(EngineKind kind) throws Exception {
        running = RunningFleet.ofKind(kind);
        String id = create(",\"background\":true,\"max_output_tokens\":20000")
                .path("id")
                .asText();
        String whole = create(",\"max_output_tokens\":1").path("id").asText();

        JsonNode cancelled = running.json(running.post(RESPONSES + "/" + id + "/cancel", ""));
        HttpResponse<String> refused = running.post(RESPONSES + "/" + whole + "/cancel", "");

        assertThat(cancelled.path("status").asText()).isEqualTo("cancelled");
        assertThat(stored(id).path("status").asText()).isEqualTo("cancelled");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("Cannot cancel a synchronous response.");
        assertThat(running.post(RESPONSES + "/resp_none/cancel", "").statusCode())
                .isEqualTo(404);
        RunningFleet.awaitUntil(
                "the work has stopped", SOON, () -> running.engine.state().running() == 0);
    }

    @ParameterizedTest
    @EnumSource(
            value = EngineKind.class,
            names = {"VLLM", "SGLANG"})
    void a_new_process_has_nothing_stored(EngineKind kind) throws Exception {
        running = RunningFleet.ofKind(kind);
        String id = create(",\"max_output_tokens\":1").path("id").asText();

        running.fault(new Fault.Kill());
        running.clearFault();

        assertThat(running.get(RESPONSES + "/" + id).statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @EnumSource(
            value = EngineKind.class,
            names = {"VLLM", "SGLANG"})
    void wrong_fields_get_the_nested_envelope(EngineKind kind) throws Exception {
        running = RunningFleet.ofKind(kind);
        for (String body : List.of(
                "{}", "{\"input\":\"a\",\"stream\":\"maybe\"}", "{\"input\":\"a\",\"max_output_tokens\":\"x\"}", "{")) {
            HttpResponse<String> refused = running.post(RESPONSES, body);

            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(running.json(refused).path("error").path("code").asInt()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = EngineKind.class,
            names = {"VLLM", "SGLANG"})
    void the_openai_client_understands_responses_and_embeddings(EngineKind kind) {
        running = RunningFleet.ofKind(kind);
        OpenAIClient client = OpenAIOkHttpClient.builder()
                .baseUrl(running.engine.endpoint() + "/v1")
                .apiKey("none")
                .maxRetries(0)
                .build();
        ResponseCreateParams params = ResponseCreateParams.builder()
                .model("sim/llama-3-8b")
                .input("hello")
                .maxOutputTokens(5)
                .build();

        Response response = client.responses().create(params);
        StringBuilder streamed = new StringBuilder();
        Response completed = null;
        try (StreamResponse<ResponseStreamEvent> stream = client.responses().createStreaming(params)) {
            for (ResponseStreamEvent event : (Iterable<ResponseStreamEvent>) stream.stream()::iterator) {
                event.outputTextDelta().ifPresent(delta -> streamed.append(delta.delta()));
                completed = event.completed().map(end -> end.response()).orElse(completed);
            }
        }
        int dimensions = client.embeddings()
                .create(EmbeddingCreateParams.builder()
                        .model("sim/llama-3-8b")
                        .input("hello")
                        .build())
                .data()
                .getFirst()
                .embedding()
                .size();

        assertThat(response.status()).contains(ResponseStatus.COMPLETED);
        assertThat(text(response)).isNotEmpty().isEqualTo(streamed.toString());
        assertThat(completed).isNotNull();
        assertThat(text(completed)).isEqualTo(streamed.toString());
        assertThat(completed.usage().orElseThrow().outputTokens()).isEqualTo(5);
        assertThat(client.responses().retrieve(completed.id()).status()).contains(ResponseStatus.COMPLETED);
        assertThat(dimensions).isEqualTo(256);
        client.close();
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

    private String status(String id) {
        try {
            return stored(id).path("status").asText();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
