package dev.penstock.router.job;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.Test;

/** Ours for the engine's, wherever an answer is cut, and no other byte. */
class IdRewriteTest {
    private static final IdNames NAMES = (field, id, length) -> {
        String engineId = new String(id, 0, length, UTF_8);
        return engineId.contains("\\")
                ? null
                : (field == IdScan.Field.OWN ? "<" + engineId + ">" : "[" + engineId + "]").getBytes(US_ASCII);
    };

    @Test
    void the_id_at_the_top_of_an_answer_is_ours() {
        json("{\"id\":\"e1\",\"object\":\"video\"}", "{\"id\":\"<e1>\",\"object\":\"video\"}");
        json(
                "{ \"object\" : \"video\" ,\r\n \"id\" :\t\"e1\" }",
                "{ \"object\" : \"video\" ,\r\n \"id\" :\t\"<e1>\" }");
        json("{\"a\":[{\"id\":\"x\"}],\"id\":\"e1\"}", "{\"a\":[{\"id\":\"x\"}],\"id\":\"<e1>\"}");
        json("{\"a\":{\"b\":[[{}]]},\"id\":\"e1\"}", "{\"a\":{\"b\":[[{}]]},\"id\":\"<e1>\"}");
    }

    @Test
    void what_it_goes_on_from_is_ours_too() {
        json(
                "{\"id\":\"e2\",\"previous_response_id\":\"e1\",\"x\":null}",
                "{\"id\":\"<e2>\",\"previous_response_id\":\"[e1]\",\"x\":null}");
        json("{\"previous_response_id\":null,\"id\":\"e2\"}", "{\"previous_response_id\":null,\"id\":\"<e2>\"}");
    }

    @Test
    void nothing_else_is_touched() {
        for (String same : new String[] {
            "",
            "{}",
            "[{\"id\":\"e1\"}]",
            "\"id\"",
            "{\"output\":[{\"id\":\"msg_1\",\"content\":[{\"id\":\"e1\"}]}]}",
            "{\"text\":\"\\\"id\\\":\\\"e1\\\"\"}",
            "{\"text\":\"id\",\"e1\":\"id\"}",
            "{\"idx\":\"e1\",\"xid\":\"e1\",\"i\":\"e1\",\"Id\":\"e1\"}",
            "{\"id\":1,\"b\":\"e1\"}",
            "{\"id\":null,\"b\":\"e1\"}",
            "{\"id\":{\"id\":\"e1\"}}",
            "{\"id\":[\"e1\"]}",
            "{\"\\u0069d\":\"e1\"}",
            "{\"id\":\"a\\\"b\"}",
            "{\"id\":\"" + "x".repeat(513) + "\"}",
            "{\"response\":{\"id\":\"e1\"}}",
            "{\"id\":\"cut",
            "no json at all \"id\":\"e1\""
        }) json(same, same);
    }

    @Test
    void the_longest_id_is_ours() {
        json("{\"id\":\"" + "x".repeat(512) + "\"}", "{\"id\":\"<" + "x".repeat(512) + ">\"}");
    }

    @Test
    void every_event_with_a_response_has_our_id() {
        String stream = """
            event: response.created
            data: {"type":"response.created","response":{"id":"e1","object":"response","previous_response_id":"e0"}}

            : keep-alive

            event: response.output_text.delta
            data: {"type":"response.output_text.delta","item_id":"msg_1","delta":"\\"response\\":{\\"id\\":\\"e1\\"} 水"}

            event: response.completed
            data:{"response":{"output":[{"id":"msg_1"}],"id":"e1"},"type":"response.completed","id":"e1"}

            """;
        String ours = stream.replace("\"id\":\"e1\",\"object\"", "\"id\":\"<e1>\",\"object\"")
                .replace("_id\":\"e0\"", "_id\":\"[e0]\"")
                .replace("}],\"id\":\"e1\"}", "}],\"id\":\"<e1>\"}");
        events(stream, ours);
        events(stream.replace("\n", "\r\n"), ours.replace("\n", "\r\n"));
        events(stream.replace("\n", "\r"), ours.replace("\n", "\r"));
    }

    @Test
    void a_line_that_breaks_off_spoils_only_itself() {
        events(
                "data: {\"response\":{\"id\":\"e1\n\ndata: {\"response\":{\"id\":\"e2\"}}\n\n",
                "data: {\"response\":{\"id\":\"e1\n\ndata: {\"response\":{\"id\":\"<e2>\"}}\n\n");
        events(
                "data: [DONE]\n\nxdata: {\"response\":{\"id\":\"e1\"}}\n",
                "data: [DONE]\n\nxdata: {\"response\":{\"id\":\"e1\"}}\n");
    }

    @Test
    void no_more_is_held_back_than_an_id() {
        IdRewrite rewrite = IdRewrite.ofJson(NAMES);

        assertThat(rewrite.feed(Buffer.buffer("{\"a\":1,\"id\":\"e")).toString())
                .isEqualTo("{\"a\":1,\"id\":\"");
        assertThat(rewrite.feed(Buffer.buffer("x".repeat(10_000))).length()).isGreaterThanOrEqualTo(10_000 - 512);
        assertThat(rewrite.end().length()).isZero();
    }

    @Test
    void a_chunk_without_ids_is_handed_on_as_it_is() {
        Buffer chunk = Buffer.buffer("{\"a\":1,");

        assertThat(IdRewrite.ofJson(NAMES).feed(chunk)).isSameAs(chunk);
    }

    private static void json(String engines, String ours) {
        byte[] bytes = engines.getBytes(UTF_8);
        for (int cut = 0; cut <= bytes.length; cut++) {
            assertThat(cut(IdRewrite.ofJson(NAMES), bytes, cut))
                    .as("cut at %s", cut)
                    .isEqualTo(ours);
        }
        assertThat(bytewise(IdRewrite.ofJson(NAMES), bytes)).isEqualTo(ours);
    }

    private static void events(String engines, String ours) {
        byte[] bytes = engines.getBytes(UTF_8);
        for (int cut = 0; cut <= bytes.length; cut++) {
            assertThat(cut(IdRewrite.ofEvents(NAMES), bytes, cut))
                    .as("cut at %s", cut)
                    .isEqualTo(ours);
        }
        assertThat(bytewise(IdRewrite.ofEvents(NAMES), bytes)).isEqualTo(ours);
    }

    private static String cut(IdRewrite rewrite, byte[] bytes, int cut) {
        Buffer all = Buffer.buffer(bytes);
        return Buffer.buffer()
                .appendBuffer(rewrite.feed(all.slice(0, cut)))
                .appendBuffer(rewrite.feed(all.slice(cut, bytes.length)))
                .appendBuffer(rewrite.end())
                .toString(UTF_8);
    }

    private static String bytewise(IdRewrite rewrite, byte[] bytes) {
        Buffer out = Buffer.buffer();
        for (byte b : bytes) out.appendBuffer(rewrite.feed(Buffer.buffer(new byte[] {b})));
        return out.appendBuffer(rewrite.end()).toString(UTF_8);
    }
}
