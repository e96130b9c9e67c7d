package dev.penstock.router.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.buffer.Buffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EngineErrorTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void what_is_in_the_envelope_stays_byte_for_byte() {
        assertThat(openAi(400, "{\"error\": {\"message\":\"bad top_p\",\"param\":\"top_p\",\"code\":400}}"))
                .isNull();
        assertThat(EngineError.normalised(
                        529,
                        Buffer.buffer("{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}"),
                        Envelope.ANTHROPIC))
                .isNull();
    }

    @Test
    void a_flat_error_is_lifted_with_all_its_fields() throws Exception {
        JsonNode error = error(openAi(
                400, "{\"object\":\"error\",\"message\":\"m\",\"type\":\"t\",\"param\":\"top_p\",\"code\":400}"));

        assertThat(error.path("message").asText()).isEqualTo("m");
        assertThat(error.path("type").asText()).isEqualTo("t");
        assertThat(error.path("param").asText()).isEqualTo("top_p");
        assertThat(error.path("code").asInt()).isEqualTo(400);
    }

    @Test
    void what_is_no_error_object_is_wrapped_once() throws Exception {
        assertThat(message(openAi(500, "Internal Server Error"))).isEqualTo("Internal Server Error");
        assertThat(message(openAi(502, "<html><body>Bad Gateway</body></html>")))
                .isEqualTo("The engine answered 502.");
        assertThat(message(openAi(503, ""))).isEqualTo("The engine answered 503.");
        assertThat(message(openAi(404, "{\"detail\":\"Not Found\"}"))).isEqualTo("Not Found");
        assertThat(message(openAi(401, "{\"error\":\"Unauthorized\"}"))).isEqualTo("Unauthorized");
        assertThat(message(openAi(500, "{\"error\":\"{\\\"a\\\":1}\"}"))).isEqualTo("The engine answered 500.");
        assertThat(message(openAi(500, "{\"a\":"))).isEqualTo("The engine answered 500.");
        assertThat(message(openAi(500, "[1]"))).isEqualTo("The engine answered 500.");
    }

    @Test
    void anthropic_clients_get_their_own_envelope() throws Exception {
        JsonNode body = JSON.readTree(Objects.requireNonNull(EngineError.normalised(
                        400,
                        Buffer.buffer("{\"error\":{\"message\":\"m\",\"type\":\"BadRequestError\",\"code\":400}}"),
                        Envelope.ANTHROPIC))
                .toString());

        assertThat(body.path("type").asText()).isEqualTo("error");
        assertThat(body.path("error").path("type").asText()).isEqualTo("invalid_request_error");
        assertThat(body.path("error").path("message").asText()).isEqualTo("m");
    }

    private static @Nullable Buffer openAi(int status, String body) {
        return EngineError.normalised(status, Buffer.buffer(body), Envelope.OPENAI);
    }

    private static String message(@Nullable Buffer body) throws JsonProcessingException {
        return error(body).path("message").asText();
    }

    private static JsonNode error(@Nullable Buffer body) throws JsonProcessingException {
        return JSON.readTree(Objects.requireNonNull(body).toString()).path("error");
    }
}
