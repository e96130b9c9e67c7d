package dev.penstock.router.body;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.penstock.core.prefix.PrefixChain;
import dev.penstock.testkit.Seeds;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BodyPeekTest {
    @Test
    void model_and_stream_are_read_wherever_they_stand() {
        Peek.Peeked peeked = peeked("{\"messages\":[{\"model\":\"not-this\"}],\"stream\":true,\"model\":\"org/m-7b\"}");

        assertThat(peeked).isEqualTo(new Peek.Peeked("org/m-7b", true, 57, 67, 1, 1, false, -1, -1, -1, null, -1, -1));
        assertThat(peeked("  { \"model\":\"m\",\"stream\":null}"))
                .isEqualTo(new Peek.Peeked("m", false, 12, 15, 3, 1, false, -1, -1, -1, null, -1, -1));
        assertThat(peeked("{\"model\":\"m\",\"content\":\"\\ud83d\"}").model()).isEqualTo("m");
    }

    @Test
    void a_key_is_what_its_escapes_mean() {
        assertThat(peeked("{\"mod\\u0065l\":\"m\\u00e9\\ud83d\\udeb0\\/\\n\"}").model())
                .isEqualTo("mé🚰/\n");
        assertThat(peeked("{\"model\":\"水é🚰\"}").model()).isEqualTo("水é🚰");
        assertThat(peeked("{\"model\":\"a\\ud83d\",\"model\\ud83d\":7}").model())
                .isEqualTo("a\ud83d");
        // No key of a part of the prompt, either.
        assertThat(Peeks.of("{\"model\":\"m\",\"messages\":[{\"text\\ud83d\":\"x\",\"con\\u0074ent\":\"y\"}]}"
                                .getBytes(UTF_8))
                        .promptBytes())
                .isEqualTo(1);
    }

    /** As Python's json does, and so the engines. */
    @Test
    void of_a_key_that_comes_twice_the_last_counts() {
        Peek.Peeked peeked =
                peeked("{\"model\":7,\"stream\":\"x\",\"n\":3,\"rid\":\"r\",\"stream\":true,\"model\":\"b\","
                        + "\"n\":2,\"rid\":1,\"max_tokens\":5,\"max_tokens\":null,\"previous_response_id\":\"p\","
                        + "\"previous_response_id\":null}");

        assertThat(peeked).isEqualTo(new Peek.Peeked("b", true, 62, 65, 1, 2, false, -1, -1, -1, null, -1, -1));
        assertThat(Peeks.of("{\"model\":\"a\",\"model\":null}")).isInstanceOf(Peek.Invalid.class);
        Peeks twice = Peeks.of(
                "{\"model\":\"m\",\"prompt\":\"long\",\"user\":\"a\",\"cache_salt\":\"s\",\"tools\":[1],\"input\":\"in\",\"prompt\":\"p\",\"user\":\"b\",\"cache_salt\":7,\"tools\":[2]}"
                        .getBytes(UTF_8));
        assertThat(twice).isEqualTo(new Peeks(peeked("{\"model\":\"m\"}"), 3, new long[0], "b", null));
    }

    @Test
    void the_last_prompt_and_the_last_tools_are_hashed() {
        String tail = "\"input\":\"" + "i".repeat(300) + "\",\"prompt\":\"" + "p".repeat(300) + "\",\"tools\":[2]}";
        Peeks once = Peeks.of(("{\"model\":\"m\"," + tail).getBytes(UTF_8));
        Peeks twice = Peeks.of(("{\"tools\":[1],\"prompt\":[[1,2],\"x\"],\"model\":\"m\"," + tail).getBytes(UTF_8));

        assertThat(twice.hashes()).hasSize(2).isEqualTo(once.hashes());
        assertThat(((Peek.Peeked) twice.peek()).choices()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'\"n\":3' | 3",
                "'\"n\":2.0' | 2",
                "'\"n\":null' | 1",
                "'\"n\":3,\"prompt\":[\"a\",\"b\"]' | 6",
                "'\"prompt\":[[1,2],[3]]' | 2",
                "'\"prompt\":[1,2,3]' | 1",
                "'\"prompt\":[]' | 1",
                "'\"prompt\":\"x\"' | 1",
                "'\"prompt\":{\"text\":[\"a\",\"b\"]}' | 1",
                "'\"input\":[\"a\",\"b\"]' | 1",
                "'\"messages\":[{\"content\":\"a\"},[],\"x\"]' | 1",
                "'\"n\":99999999999999999999999' | 2147483647",
                "'\"n\":2000000000,\"prompt\":[\"a\",\"b\"]' | 2147483647"
            })
    void choices_are_n_of_each_prompt(String field, int choices) {
        assertThat(peeked("{" + field + ",\"model\":\"m\"}").choices()).isEqualTo(choices);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'\"x\":1' | false | -1",
                "'\"max_tokens\":16' | true | 16",
                "'\"max_tokens\":16.0' | true | 16",
                "'\"max_tokens\":16,\"max_completion_tokens\":8' | true | 8",
                "'\"max_completion_tokens\":8,\"max_tokens\":16' | true | 8",
                "'\"max_completion_tokens\":null,\"max_tokens\":16' | true | 16",
                "'\"max_output_tokens\":7' | true | 7",
                "'\"max_tokens\":0' | true | 0",
                "'\"max_tokens\":-3' | true | -1",
                "'\"max_tokens\":\"16\"' | true | -1",
                "'\"max_tokens\":1e3' | true | -1",
                "'\"max_tokens\":[]' | true | -1",
                "'\"max_tokens\":99999999999999999999' | true | 9223372036854775807",
                "'\"y\":{\"max_tokens\":4}' | false | -1"
            })
    void the_bound_of_tokens_is_that_which_engines_heed(String field, boolean has, long most) {
        Peek.Peeked peeked = peeked("{" + field + ",\"model\":\"m\"}");

        assertThat(peeked.hasMaxTokens()).isEqualTo(has);
        assertThat(peeked.maxTokens()).isEqualTo(most);
    }

    @Test
    void ids_are_found() {
        Peek.Peeked peeked =
                peeked("{\"rid\": \"r\\u0031\" ,\"previous_response_id\":\"resp_\\u0031\",\"model\":\"m\"}");

        assertThat(List.of(peeked.ridStart(), peeked.ridEnd())).isEqualTo(List.of(8L, 17L));
        assertThat(peeked.previousResponseId()).isEqualTo("resp_1");
        assertThat(peeked("{\"rid\":null,\"model\":\"m\"}").ridEnd()).isEqualTo(11);
        assertThat(peeked("{\"rid\":[\"a\"],\"model\":\"m\"}").ridStart()).isEqualTo(-1);
        assertThat(peeked("{\"previous_response_id\":\"" + "x".repeat(70_000) + "\",\"model\":\"m\"}")
                        .previousResponseId())
                .isNull();
    }

    static Stream<Arguments> brokenBodies() {
        return Stream.of(
                arguments("", "The request body is empty; expected a JSON object."),
                arguments(" \n", "The request body is empty; expected a JSON object."),
                arguments("{", "The request body is not valid JSON: it ends at byte 1, expected '\"' or '}'."),
                arguments("[]", "The request body must be a JSON object; expected '{' but found '[' at byte 0."),
                arguments("\"x\"", "The request body must be a JSON object; expected '{' but found '\"' at byte 0."),
                arguments("null", "The request body must be a JSON object; expected '{' but found 'n' at byte 0."),
                arguments("42", "The request body must be a JSON object; expected '{' but found '4' at byte 0."),
                arguments("true", "The request body must be a JSON object; expected '{' but found 't' at byte 0."),
                arguments(
                        "{\"model\":\"m\"}garbage", "The request body has content after its JSON object, at byte 13."),
                arguments("{\"model\":\"m\"}{}", "The request body has content after its JSON object, at byte 13."),
                arguments(
                        "{\"x\":NaN}", "The request body is not valid JSON: expected a value but found 'N' at byte 5."),
                arguments(
                        "{\"x\":-Infinity}",
                        "The request body is not valid JSON: expected a digit after '-' but found 'I' at byte 6."),
                arguments("{\"x\":1,}", "The request body is not valid JSON: expected '\"' but found '}' at byte 7."),
                arguments(
                        "{\"x\":[1,]}",
                        "The request body is not valid JSON: expected a value but found ']' at byte 8."),
                arguments(
                        "{\"x\":[1}}",
                        "The request body is not valid JSON: expected ',' or ']' but found '}' at byte 7."),
                arguments(
                        "{\"x\":{\"y\":1]}",
                        "The request body is not valid JSON: expected ',' or '}' but found ']' at byte 11."),
                arguments(
                        "{'model':'m'}",
                        "The request body is not valid JSON: expected '\"' or '}' but found ''' at byte 1."),
                arguments("{\"x\" 1}", "The request body is not valid JSON: expected ':' but found '1' at byte 5."),
                arguments(
                        "{\"x\":01}",
                        "The request body is not valid JSON: expected the end of a number that begins with 0 but found"
                                + " '1' at byte 6."),
                arguments(
                        "{\"x\":1.}",
                        "The request body is not valid JSON: expected a digit after '.' but found '}' at byte 7."),
                arguments(
                        "{\"x\":1e}",
                        "The request body is not valid JSON: expected a digit or a sign after 'e' but found '}' at"
                                + " byte 7."),
                arguments(
                        "{\"x\":1e+}",
                        "The request body is not valid JSON: expected a digit of an exponent but found '}' at byte 8."),
                arguments(
                        "{\"x\":+1}", "The request body is not valid JSON: expected a value but found '+' at byte 5."),
                arguments(
                        "{\"x\":.5}", "The request body is not valid JSON: expected a value but found '.' at byte 5."),
                arguments(
                        "{\"x\":trve}",
                        "The request body is not valid JSON: expected true, false or null but found 'v' at byte 7."),
                arguments(
                        "{\"x\":truex}",
                        "The request body is not valid JSON: expected ',' or '}' but found 'x' at byte 9."),
                arguments(
                        "{\"x\":\"\\q\"}",
                        "The request body is not valid JSON: expected a valid escape after '\\' but found 'q' at byte"
                                + " 7."),
                arguments(
                        "{\"x\":\"\\u12g4\"}",
                        "The request body is not valid JSON: expected four hexadecimal digits after '\\u' but found"
                                + " 'g' at byte 10."),
                arguments(
                        "{\"x\":\"abc",
                        "The request body is not valid JSON: it ends at byte 9, expected '\"' in the string that"
                                + " begins at byte 5."),
                arguments(
                        "{\"x\":\"a\t\"}",
                        "The request body is not valid JSON: control character 0x09 in a string must be escaped at"
                                + " byte 7."),
                arguments(
                        "{/* c */}",
                        "The request body is not valid JSON: expected '\"' or '}' but found '/' at byte 1."));
    }

    @ParameterizedTest
    @MethodSource("brokenBodies")
    void a_body_that_is_no_json_object_is_refused_at_the_byte(String body, String message) {
        assertThat(Peeks.of(body)).isEqualTo(new Peek.Invalid(message, null));
    }

    static Stream<Arguments> wrongKinds() {
        return Stream.of(
                arguments("{}", "model", "'model' is missing."),
                arguments("{\"model\":null}", "model", "'model' must be a string."),
                arguments("{\"model\":7}", "model", "'model' must be a string."),
                arguments("{\"model\":true}", "model", "'model' must be a string."),
                arguments("{\"model\":[\"a\"]}", "model", "'model' must be a string."),
                arguments("{\"model\":{}}", "model", "'model' must be a string."),
                arguments("{\"model\":\"\"}", "model", "'model' must not be empty."),
                arguments("{\"model\":\"  \"}", "model", "'model' must not be empty."),
                arguments("{\"model\":\"\\u0020\\t\"}", "model", "'model' must not be empty."),
                arguments("{\"model\":\"m\",\"stream\":\"true\"}", "stream", "'stream' must be true or false."),
                arguments("{\"model\":\"m\",\"stream\":\"false\"}", "stream", "'stream' must be true or false."),
                arguments("{\"model\":\"m\",\"stream\":1}", "stream", "'stream' must be true or false."),
                arguments("{\"model\":\"m\",\"stream\":[]}", "stream", "'stream' must be true or false."),
                arguments("{\"model\":\"m\",\"n\":0}", "n", "'n' must be a positive integer."),
                arguments("{\"model\":\"m\",\"n\":-1}", "n", "'n' must be a positive integer."),
                arguments("{\"model\":\"m\",\"n\":\"2\"}", "n", "'n' must be a positive integer."),
                arguments("{\"model\":\"m\",\"n\":1.5}", "n", "'n' must be a positive integer."));
    }

    @ParameterizedTest
    @MethodSource("wrongKinds")
    void a_field_of_the_wrong_kind_is_named(String body, String param, String words) {
        assertThat(Peeks.of(body)).isEqualTo(new Peek.Invalid(words, param));
    }

    @Test
    void a_model_of_more_than_a_kibibyte_is_none() {
        assertThat(peeked("{\"model\":\"" + "é".repeat(512) + "\"}").model()).hasSize(512);
        for (int length : new int[] {1_025, 5_000_000}) {
            assertThat(Peeks.of("{\"model\":\"" + "x".repeat(length) + "\"}"))
                    .isEqualTo(new Peek.Invalid("'model' is longer than 1024 bytes.", "model"));
        }
    }

    @Test
    void utf8_is_asked_for() {
        String body = "{\"model\":\"m\"}";
        assertThat(((Peek.Peeked) Peeks.of(("\ufeff" + body).getBytes(UTF_8)).peek()).modelStart())
                .isEqualTo(12);
        for (Charset charset : List.of(UTF_16LE, UTF_16BE, Charset.forName("UTF-32LE"), Charset.forName("UTF-32BE"))) {
            for (String text : List.of(body, "\ufeff" + body, " " + body)) {
                Peek.Invalid invalid =
                        (Peek.Invalid) Peeks.of(text.getBytes(charset)).peek();
                assertThat(invalid.message()).startsWith("The request body must be JSON in UTF-8; found 0x");
                assertThat(invalid.param()).isNull();
            }
        }
        assertThat(Peeks.of(HexFormat.of().parseHex("efbbbe7b7d")).peek()).isInstanceOf(Peek.Invalid.class);
        assertThat(Peeks.of(HexFormat.of().parseHex("efbb")).peek()).isInstanceOf(Peek.Invalid.class);
        // Once only.
        assertThat(Peeks.of(("\ufeff\ufeff" + body).getBytes(UTF_8)).peek()).isInstanceOf(Peek.Invalid.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ff",
                "80",
                "bf",
                "c0af",
                "c1bf",
                "c3",
                "c328",
                "e08080",
                "e09fbf",
                "e6b0",
                "eda080",
                "edbfbf",
                "f08fbfbf",
                "f0908d",
                "f4908080",
                "f5808080",
                "f8888080",
                "fe"
            })
    void bytes_that_are_no_utf8_are_refused(String hex) {
        for (String before : List.of("", "x", "水水水", "é", "🚰", "x".repeat(40))) {
            for (String after : List.of("", "x", "水水水", "x".repeat(40))) {
                byte[] bytes = HexFormat.of().parseHex(hex);
                Buffer body = Buffer.buffer("{\"model\":\"m\",\"x\":\"" + before)
                        .appendBytes(bytes)
                        .appendString(after + "\"}");
                Peek.Invalid invalid = (Peek.Invalid) Peeks.of(body.getBytes()).peek();
                assertThat(invalid.message()).startsWith("The request body is not valid UTF-8: found ");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"c280", "dfbf", "e0a080", "ed9fbf", "ee8080", "efbfbf", "f0908080", "f48fbfbf", "7f"})
    void characters_at_the_edges_are_taken(String hex) {
        for (int copies : new int[] {1, 5}) {
            Buffer body = Buffer.buffer("{\"model\":\"");
            byte[] bytes = HexFormat.of().parseHex(hex.repeat(copies));
            body.appendBytes(bytes).appendString("\"}");

            assertThat(((Peek.Peeked) Peeks.of(body.getBytes()).peek()).model()).isEqualTo(new String(bytes, UTF_8));
        }
    }

    @Test
    void any_cut_says_the_same() {
        String body =
                " {\"mod\\u0065l\" : \"m\\u00e9\\ud83d\\udeb0水🚰é\" , \"stream\":true,\"n\":12 ,\"prompt\":[\"a\\n"
                    + "\\ud83d\\udeb0\",[1,-20,300.5e-1]],"
                    + "\"messages\":[{\"role\":\"x\",\"content\":[{\"text\":\"水🚰é\\ud83d\\ud83d\\udeb0\"},{\"x\":[null,false,-0.0E+1,{}]}]}],"
                    + "\"input\":\"" + "i".repeat(300)
                        + "\",\"tools\":[{\"a\":\"b\"}],\"user\":\"\\\"u\\\"\",\"cache_salt\":\"s\","
                        + "\"max_tokens\":100,\"rid\":\"r\",\"previous_response_id\":\"p\",\"z\":[[[{\"a\":{}}]]]} \n";
        byte[] bytes = body.getBytes(UTF_8);
        Peeks whole = Peeks.of(bytes);
        assertThat(whole.peek()).isInstanceOf(Peek.Peeked.class);
        assertThat(whole.hashes()).hasSize(1);
        BodyPeek scanner = new BodyPeek();

        for (int cut = 0; cut <= bytes.length; cut++) {
            assertThat(Peeks.cutAt(scanner, bytes, cut)).isEqualTo(whole);
        }
        for (int piece = 1; piece < 20; piece++) {
            assertThat(Peeks.of(scanner, bytes, piece)).isEqualTo(whole);
        }
        for (int end = 0; end < bytes.length - 2; end++) {
            assertThat(Peeks.of(Arrays.copyOf(bytes, end)).peek()).isInstanceOf(Peek.Invalid.class);
        }
    }

    @Test
    void the_prompt_is_as_its_text_is_in_utf8() throws Exception {
        Seeds.run(BodyPeekTest::promptsOf);
    }

    private static void promptsOf(RandomGenerator random) {
        StringBuilder json = new StringBuilder("{\"model\":\"m\",\"messages\":[");
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        for (int message = 0; message < 50; message++) {
            json.append(message == 0 ? "" : ",").append("{\"role\":\"user\",\"content\":[{\"text\":\"");
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(200); i > 0; i--) RandomJson.character(random, json, text);
            // A lone surrogate is a question mark to both.
            expected.writeBytes(text.toString().getBytes(UTF_8));
            json.append("\"},{\"image_url\":{\"url\":\"text\"}}]}");
        }

        Peeks peeks = Peeks.of(json.append("]}").toString().getBytes(UTF_8));

        assertThat(peeks.promptBytes()).isEqualTo(expected.size());
        assertThat(peeks.hashes())
                .isEqualTo(hashes(expected.toByteArray(), null))
                .isNotEmpty();
    }

    private static long[] hashes(byte[] prompt, String salt) {
        PrefixChain chain = new PrefixChain();
        chain.start(PrefixChain.seed("m", salt));
        chain.add(prompt, 0, prompt.length);
        long[] hashes = new long[chain.blocks()];
        for (int i = 0; i < hashes.length; i++) hashes[i] = chain.hash(i);
        return hashes;
    }

    @Test
    void instructions_and_queries_are_prompts_and_documents_are_none() {
        String x = "x".repeat(300);
        for (String field : List.of("prompt", "input", "system", "messages", "instructions", "query")) {
            assertThat(Peeks.of(("{\"model\":\"m\",\"" + field + "\":\"" + x + "\"}").getBytes(UTF_8))
                            .hashes())
                    .isEqualTo(hashes(x.getBytes(UTF_8), null));
        }
        for (String field : List.of("documents", "texts", "role", "content", "suffix")) {
            assertThat(Peeks.of(("{\"model\":\"m\",\"" + field + "\":[\"" + x + "\"]}").getBytes(UTF_8))
                            .promptBytes())
                    .isZero();
        }
    }

    @Test
    void token_ids_are_four_bytes_each() {
        Peeks peeks = Peeks.of(
                "{\"model\":\"m\",\"prompt\":[1,-2,3.5,1e2,2147483648,2147483647,{\"text\":9}]}".getBytes(UTF_8));

        assertThat(peeks.promptBytes()).isEqualTo(4 * Integer.BYTES);
    }

    @Test
    void a_body_of_20_mb_costs_next_to_no_memory() {
        String x = "x".repeat(20_000_000);
        Buffer body = Buffer.buffer("{\"prompt\":\"" + x + "\",\"model\":\"m\",\"user\":\"u\"}");
        BodyPeek scanner = new BodyPeek();
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        peek(scanner, body);
        long before = threads.getCurrentThreadAllocatedBytes();

        Peek peek = peek(scanner, body);

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(4_096);
        assertThat(peek).isInstanceOf(Peek.Peeked.class);
        assertThat(scanner.facts().promptBytes()).isEqualTo(PrefixChain.bytesOf(PrefixChain.MAX_BLOCKS));
        assertThat(scanner.facts().field("user")).isEqualTo("u");
    }

    private static Peek peek(BodyPeek scanner, Buffer body) {
        scanner.start(Peeks.SESSION_FIELDS);
        scanner.feed(body);
        return scanner.finish();
    }

    @Test
    void a_key_of_5_mb_is_not_kept() {
        Buffer body = Buffer.buffer("{\"" + "k".repeat(5_000_000) + "\":1,\"model\":\"m\"}");
        BodyPeek scanner = new BodyPeek();
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();

        Peek peek = peek(scanner, body);

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(500_000);
        assertThat(peek).isInstanceOf(Peek.Invalid.class);
    }

    @Test
    void nothing_of_a_request_is_kept_when_it_is_on_its_way() {
        BodyPeek scanner = new BodyPeek();
        peek(
                scanner,
                Buffer.buffer("{\"model\":\"m\",\"user\":\"u\",\"cache_salt\":\"s\",\"tools\":[{}],\"prompt\":\"p\"}"));
        BodyFacts facts = scanner.facts();
        assertThat(facts.field("user")).isEqualTo("u");
        assertThat(facts.holds()).isTrue();

        facts.clear();

        assertThat(facts.holds()).isFalse();
        assertThat(facts.field("user")).isNull();
    }

    @Test
    void other_session_fields_are_asked_for_next_time() {
        BodyPeek scanner = new BodyPeek();
        Buffer body = Buffer.buffer("{\"model\":\"m\",\"user\":\"u\",\"session_id\":\"s\",\"model\":\"m\"}");
        scanner.start(Set.of("user"));
        scanner.feed(body);
        scanner.finish();
        assertThat(scanner.facts().field("session_id")).isNull();

        scanner.start(Set.of("session_id", "model", "empty"));
        scanner.feed(body);
        scanner.finish();

        assertThat(scanner.facts().field("user")).isNull();
        assertThat(scanner.facts().field("session_id")).isEqualTo("s");
        assertThat(scanner.facts().field("model")).isEqualTo("m");
        assertThat(scanner.facts().field("empty")).isNull();
    }

    @Test
    void a_salt_that_names_the_session_is_a_salt_all_the_same() {
        byte[] p = "p".repeat(256).getBytes(UTF_8);
        Buffer body = Buffer.buffer("{\"model\":\"m\",\"cache_salt\":\"s\",\"prompt\":\"" + "p".repeat(256) + "\"}");
        BodyPeek scanner = new BodyPeek();

        for (Set<String> sessionFields : List.of(Set.of("cache_salt"), Set.<String>of())) {
            scanner.start(sessionFields);
            scanner.feed(body);
            scanner.finish();
            assertThat(scanner.facts().prefixes("m", false).hash(0)).isEqualTo(hashes(p, "s")[0]);
            assertThat(scanner.facts().field("cache_salt")).isEqualTo(sessionFields.isEmpty() ? null : "s");
        }
    }

    @Test
    void tools_are_in_the_salt_but_not_in_an_exact_one() {
        String p = "p".repeat(256);
        // Over several windows, and of any kind.
        for (String tools : List.of("[]", "7", "\"t\"", "null", "[\"" + "t".repeat(40_000) + "\", {} ]")) {
            BodyPeek scanner = new BodyPeek();
            peek(scanner, Buffer.buffer("{\"tools\": " + tools + " ,\"model\":\"m\",\"prompt\":\"" + p + "\"}"));
            var crc = new CRC32C();
            crc.update(tools.getBytes(UTF_8));

            assertThat(scanner.facts().prefixes("m", false).hash(0))
                    .isEqualTo(hashes(p.getBytes(UTF_8), Long.toHexString(crc.getValue()))[0]);
            assertThat(scanner.facts().prefixes("m", true).hash(0)).isEqualTo(hashes(p.getBytes(UTF_8), null)[0]);
        }
    }

    @Test
    void nesting_has_a_bound_and_no_stack() {
        assertThat(Peeks.of("[".repeat(100_000))).isInstanceOf(Peek.Invalid.class);
        for (String open : List.of("[", "{\"content\":", "[{\"text\":[")) {
            for (String field : List.of("x", "messages")) {
                Peek.Invalid invalid =
                        (Peek.Invalid) Peeks.of("{\"model\":\"m\",\"" + field + "\":" + open.repeat(100_000));
                assertThat(invalid.message())
                        .startsWith("The request body is nested deeper than 1000 levels, at byte ");
            }
        }
        assertThat(peeked("{\"model\":\"m\",\"x\":" + "[".repeat(999) + "]".repeat(999) + "}")
                        .model())
                .isEqualTo("m");
        assertThat(Peeks.of("{\"model\":\"m\",\"x\":" + "[".repeat(1_000) + "]".repeat(1_000) + "}"))
                .isInstanceOf(Peek.Invalid.class);
        assertThat(peeked("{\"x\":" + "{\"a\":[".repeat(400) + "]}".repeat(400) + ",\"model\":\"m\"}")
                        .model())
                .isEqualTo("m");
    }

    @Test
    void what_can_not_become_valid_is_known_at_once() {
        BodyPeek scanner = new BodyPeek();
        scanner.start(Set.of());
        scanner.feed(Buffer.buffer("{\"model\":"));
        assertThat(scanner.faulty()).isFalse();

        scanner.feed(Buffer.buffer("x"));
        scanner.feed(Buffer.buffer("\"m\"}"));

        assertThat(scanner.faulty()).isTrue();
        assertThat(scanner.finish())
                .isEqualTo(new Peek.Invalid(
                        "The request body is not valid JSON: expected a value but found 'x' at byte 9.", null));
    }

    private static Peek.Peeked peeked(String body) {
        return (Peek.Peeked) Peeks.of(body);
    }
}
