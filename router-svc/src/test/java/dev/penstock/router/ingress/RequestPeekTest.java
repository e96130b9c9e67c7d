package dev.penstock.router.ingress;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestPeekTest {
    @Test
    void model_and_stream_are_read_wherever_they_stand() {
        assertThat(peek("{\"messages\":[{\"model\":\"not-this\"}],\"stream\":true,\"model\":\"org/m-7b\"}"))
                .isEqualTo(new RequestPeek.Peeked("org/m-7b", true, 57, 67));
        assertThat(peek("{\"model\":\"m\",\"stream\":null}")).isEqualTo(new RequestPeek.Peeked("m", false, 9, 12));
        assertThat(peek("{\"model\":\"m\",\"content\":\"\\ud83d\"}"))
                .isEqualTo(new RequestPeek.Peeked("m", false, 9, 12));
    }

    @Test
    void an_alias_is_replaced_in_place_and_nothing_else_is_touched() {
        String body = "{ \"x\": \"水\", \"model\" :  \"fast\" , \"messages\":[{\"model\":\"fast\"}]}";
        RequestPeek.Peeked peeked = (RequestPeek.Peeked) peek(body);

        Buffer spliced = ModelNames.spliced(Buffer.buffer(body), peeked, "org/\"m\"");

        assertThat(spliced.toString())
                .isEqualTo("{ \"x\": \"水\", \"model\" :  \"org/\\\"m\\\"\" , \"messages\":[{\"model\":\"fast\"}]}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "\"x\"",
                "null",
                "42",
                "true",
                "{}",
                "{\"model\":null}",
                "{\"model\":7}",
                "{\"model\":[\"a\"]}",
                "{\"model\":{}}",
                "{\"model\":\"\"}",
                "{\"model\":\"  \"}",
                "{\"model\":\"m\",\"stream\":\"true\"}",
                "{\"model\":\"m\",\"stream\":1}",
                "{\"model\":\"m\",\"stream\":[]}",
                "{\"model\":\"m\"}garbage",
                "{\"model\":\"m\",\"x\":NaN}",
                "{\"model\":\"m\",}",
                "{'model':'m'}"
            })
    void a_malformed_body_is_refused_with_words(String body) {
        assertThat(peek(body))
                .isInstanceOfSatisfying(
                        RequestPeek.Invalid.class,
                        invalid -> assertThat(invalid.message()).isNotBlank().doesNotContain("com.fasterxml"));
    }

    @Test
    void a_hundred_thousand_brackets_are_refused_without_a_stack_overflow() {
        assertThat(peek("[".repeat(100_000))).isInstanceOf(RequestPeek.Invalid.class);
        assertThat(peek("{\"model\":\"m\",\"x\":" + "[".repeat(100_000))).isInstanceOf(RequestPeek.Invalid.class);
    }

    private static RequestPeek peek(String body) {
        return RequestPeek.of(body.getBytes(StandardCharsets.UTF_8), Set.of(), new BodyFacts());
    }
}
