package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.testkit.RawHttp.Response;

/** An error that the router answers itself: OpenAI's envelope, and nothing of what it is made of. */
record OwnError(int status, String message, String type, String param, String code) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static OwnError of(Response answer) {
        String body = answer.bodyText();
        assertThat(answer.status()).as(body).isGreaterThanOrEqualTo(400);
        assertThat(answer.header("content-type")).as(body).startsWith("application/json");
        JsonNode error = parsed(body).path("error");
        assertThat(error.path("message").isTextual()).as(body).isTrue();
        assertThat(error.path("type").isTextual()).as(body).isTrue();
        assertThat(error.has("param") && error.has("code")).as(body).isTrue();
        assertThat(error.path("message").asText()).doesNotStartWith("{");
        assertThat(body)
                .doesNotContainPattern(
                        "10\\.\\d|127\\.0|Exception|io\\.vertx|\\bat [a-z]+\\.|dev\\.penstock|com\\.fasterxml");
        return new OwnError(
                answer.status(),
                error.path("message").asText(),
                error.path("type").asText(),
                error.path("param").asText(),
                error.path("code").asText());
    }

    private static JsonNode parsed(String body) {
        try {
            return JSON.readTree(body);
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + body, e);
        }
    }
}
