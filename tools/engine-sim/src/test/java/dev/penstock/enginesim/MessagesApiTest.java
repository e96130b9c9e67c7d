package dev.penstock.enginesim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.core.http.StreamResponse;
import com.anthropic.errors.NotFoundException;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCountTokensParams;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.RawMessageStreamEvent;
import com.anthropic.models.messages.StopReason;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code /v1/messages} of both engines, by hand and with Anthropic's client. */
class MessagesApiTest {
    private static final String MESSAGES = "/v1/messages";

    private RunningFleet running;

    @AfterEach
    void stop() {
        running.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "VLLM|{\"id\":\"chatcmpl-m\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"WORDS\"}],\"model\":\"sim/llama-3-8b\",\"stop_reason\":\"max_tokens\",\"usage\":{\"input_tokens\":3,\"output_tokens\":2}}",
                "SGLANG|{\"id\":\"msg_m\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"WORDS\"}],\"model\":\"sim/llama-3-8b\",\"stop_reason\":\"max_tokens\",\"usage\":{\"input_tokens\":3,\"output_tokens\":2,\"cache_read_input_tokens\":0}}",
            })
    void a_message_is_these_bytes(EngineKind kind, String expected) throws Exception {
        running = RunningFleet.ofKind(kind);
        String words = String.join(" ", running.fleetText(2));

        HttpResponse<String> response = running.post(MESSAGES, RunningFleet.chat(2, ""), "X-Request-Id", "m");

        assertThat(response.body()).isEqualTo(expected.replace("WORDS", words));
    }

    @ParameterizedTest
    @CsvSource({"VLLM,Bad Request,NotFoundError", "SGLANG,invalid_request_error,not_found_error"})
    void errors_come_in_anthropics_envelope(EngineKind kind, String badRequest, String notFound) throws Exception {
        running = RunningFleet.ofKind(kind);

        HttpResponse<String> invalid = running.post(MESSAGES, "{\"model\":\"sim/llama-3-8b\",\"messages\":[]}");
        HttpResponse<String> unknown =
                running.post(MESSAGES, "{\"model\":\"gpt\",\"max_tokens\":1,\"messages\":" + RunningFleet.HELLO + "}");
        HttpResponse<String> counted = running.post(MESSAGES + "/count_tokens", "{\"model\":\"gpt\",\"messages\":[]}");

        assertThat(invalid.statusCode()).isEqualTo(400);
        assertThat(invalid.body())
                .startsWith(
                        "{\"type\":\"error\",\"error\":{\"type\":\"" + badRequest + "\",\"message\":\"1 validation");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(running.json(unknown).path("error").path("type").asText()).isEqualTo(notFound);
        assertThat(running.json(counted).path("error").path("type").asText()).isEqualTo(notFound);
    }

    @ParameterizedTest
    @EnumSource(
            value = EngineKind.class,
            names = {"VLLM", "SGLANG"})
    void the_anthropic_client_understands_all_of_it(EngineKind kind) {
        running = RunningFleet.ofKind(kind);
        AnthropicClient client = AnthropicOkHttpClient.builder()
                .baseUrl(running.engine.endpoint())
                .apiKey("none")
                .maxRetries(0)
                .build();
        MessageCreateParams params = MessageCreateParams.builder()
                .model("sim/llama-3-8b")
                .system("be brief")
                .addUserMessage("hello")
                .maxTokens(5)
                .build();

        Message message = client.messages().create(params);
        StringBuilder streamed = new StringBuilder();
        long outputTokens = 0;
        boolean stopped = false;
        try (StreamResponse<RawMessageStreamEvent> stream = client.messages().createStreaming(params)) {
            for (RawMessageStreamEvent event : (Iterable<RawMessageStreamEvent>) stream.stream()::iterator) {
                event.contentBlockDelta()
                        .ifPresent(
                                delta -> streamed.append(delta.delta().asText().text()));
                outputTokens = event.messageDelta()
                        .map(delta -> delta.usage().outputTokens())
                        .orElse(outputTokens);
                stopped |= event.isMessageStop();
            }
        }
        long counted = client.messages()
                .countTokens(MessageCountTokensParams.builder()
                        .model("sim/llama-3-8b")
                        .addUserMessage("hello, engine")
                        .build())
                .inputTokens();

        assertThat(message.stopReason()).contains(StopReason.MAX_TOKENS);
        assertThat(message.content().getFirst().asText().text()).isNotEmpty().isEqualTo(streamed.toString());
        assertThat(message.usage().outputTokens()).isEqualTo(5);
        assertThat(outputTokens).isEqualTo(5);
        assertThat(stopped).isTrue();
        assertThat(counted).isEqualTo(3);
        assertThatThrownBy(() ->
                        client.messages().create(params.toBuilder().model("gpt").build()))
                .isInstanceOf(NotFoundException.class);
        client.close();
    }
}
