package dev.penstock.router.ingress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.prefix.PrefixChain;
import dev.penstock.testkit.Seeds;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
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
    void the_prompt_is_as_its_text_is_in_utf8() throws Exception {
        Seeds.run(RequestPeekTest::promptsOf);
    }

    private static void promptsOf(RandomGenerator random) {
        StringBuilder json = new StringBuilder("{\"model\":\"m\",\"messages\":[");
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        for (int message = 0; message < 50; message++) {
            json.append(message == 0 ? "" : ",").append("{\"role\":\"user\",\"content\":[{\"text\":\"");
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(200); i > 0; i--) character(random, json, text);
            // A lone surrogate is a question mark to both.
            expected.writeBytes(text.toString().getBytes(UTF_8));
            json.append("\"},{\"image_url\":{\"url\":\"text\"}}]}");
        }
        BodyFacts facts = new BodyFacts();

        RequestPeek.of(json.append("]}").toString().getBytes(UTF_8), Set.of(), facts);

        PrefixChain chain = new PrefixChain();
        chain.start(PrefixChain.seed("m", null));
        chain.add(expected.toByteArray(), 0, expected.size());
        assertThat(facts.promptBytes()).isEqualTo(expected.size());
        PrefixChain peeked = facts.prefixes("m", false);
        assertThat(peeked.blocks()).isEqualTo(chain.blocks()).isPositive();
        for (int i = 0; i < chain.blocks(); i++) assertThat(peeked.hash(i)).isEqualTo(chain.hash(i));
    }

    private static void character(RandomGenerator random, StringBuilder json, StringBuilder text) {
        String raw = "az 水🚰é\u0800";
        switch (random.nextInt(6)) {
            case 0 -> {
                String escapes = "bfnrt\"\\/";
                int at = random.nextInt(escapes.length());
                json.append('\\').append(escapes.charAt(at));
                text.append("\b\f\n\r\t\"\\/".charAt(at));
            }
            case 1 -> {
                // Halves of pairs come alone and in pairs.
                char[] units = {'\ud83d', '\udeb0', 'x', '\u00e9', '\u6c34', '\0'};
                char unit = units[random.nextInt(units.length)];
                json.append(String.format(random.nextBoolean() ? "\\u%04x" : "\\u%04X", (int) unit));
                // What stands before and after an escape must not make it half of a pair of another kind.
                text.append(unit);
            }
            default -> {
                int point =
                        raw.codePointAt(raw.offsetByCodePoints(0, random.nextInt(raw.codePointCount(0, raw.length()))));
                json.appendCodePoint(point);
                text.appendCodePoint(point);
            }
        }
    }

    @Test
    void an_escape_that_is_none_is_refused() {
        for (String escape : List.of("\\u12", "\\u12g4", "\\x", "\\", "\\ud83d\\u12")) {
            assertThat(peek("{\"model\":\"m\",\"prompt\":\"" + escape)).isInstanceOf(RequestPeek.Invalid.class);
            assertThat(peek("{\"model\":\"m\",\"prompt\":\"" + escape + "\"}")).isInstanceOf(RequestPeek.Invalid.class);
        }
    }

    @Test
    void a_prompt_of_20_mb_costs_no_memory_beyond_what_is_hashed() {
        byte[] body = ("{\"prompt\":\"" + "x".repeat(20_000_000) + "\",\"model\":\"m\"}").getBytes(UTF_8);
        BodyFacts facts = new BodyFacts();
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();

        RequestPeek peeked = RequestPeek.of(body, Set.of(), facts);

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(2_000_000);
        assertThat(peeked).isInstanceOf(RequestPeek.Peeked.class);
        assertThat(facts.promptBytes()).isEqualTo(PrefixChain.bytesOf(PrefixChain.MAX_BLOCKS));
    }

    @Test
    void nothing_of_a_request_is_kept_when_it_is_on_its_way() {
        BodyFacts facts = new BodyFacts();
        String body = "{\"model\":\"m\",\"user\":\"u\",\"cache_salt\":\"s\",\"tools\":[{}],\"prompt\":\"p\"}";
        RequestPeek.of(body.getBytes(UTF_8), Set.of("user"), facts);
        assertThat(facts.field("user")).isEqualTo("u");
        assertThat(facts.holds()).isTrue();

        facts.clear();

        assertThat(facts.holds()).isFalse();
        assertThat(facts.field("user")).isNull();
    }

    @Test
    void a_salt_that_names_the_session_is_a_salt_all_the_same() {
        BodyFacts facts = new BodyFacts();
        String body = "{\"model\":\"m\",\"cache_salt\":\"s\",\"prompt\":\"" + "p".repeat(256) + "\"}";
        RequestPeek.of(body.getBytes(UTF_8), Set.of("cache_salt"), facts);
        long salted = facts.prefixes("m", false).hash(0);
        assertThat(facts.field("cache_salt")).isEqualTo("s");

        RequestPeek.of(body.getBytes(UTF_8), Set.of(), facts);

        assertThat(facts.prefixes("m", false).hash(0)).isEqualTo(salted);
    }

    @Test
    void a_hundred_thousand_brackets_are_refused_without_a_stack_overflow() {
        assertThat(peek("[".repeat(100_000))).isInstanceOf(RequestPeek.Invalid.class);
        assertThat(peek("{\"model\":\"m\",\"x\":" + "[".repeat(100_000))).isInstanceOf(RequestPeek.Invalid.class);
        for (String open : List.of("[", "{\"content\":", "[{\"text\":[")) {
            assertThat(peek("{\"model\":\"m\",\"messages\":" + open.repeat(100_000)))
                    .isInstanceOf(RequestPeek.Invalid.class);
        }
    }

    private static RequestPeek peek(String body) {
        return RequestPeek.of(body.getBytes(UTF_8), Set.of(), new BodyFacts());
    }
}
