package dev.penstock.router.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** A stream says the same however it is cut, whatever is in it. */
class EventScannerProperties {
    private static final List<String> SEPARATORS =
            List.of("\n\n", "\r\n\r\n", "\r\r", "\n\r\n", "\r\n\n", "\r\n\r", "\n\n\n", "\r\n\r\n\r\n");

    private static final List<String> EVENTS = List.of(
            ": keep-alive",
            "data:"
                + " {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"finish_reason\":null}]}",
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"水 \\\"error\\\": {\\\"code\\\":500} 🚰\"}}]}",
            "data:"
                + " {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"function\":{\"arguments\":\"{\\\"usage\\\":{}}\"}}]}}]}",
            "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}",
            "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":345}}",
            "data: {\"error\":{\"message\":\"m\",\"type\":\"BadRequestError\",\"code\":400}}",
            "data: [DONE]",
            "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":9}}}",
            "event: content_block_delta\r\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"text\":\"a\"}}",
            "event: message_delta\rdata: {\"type\":\"message_delta\",\"usage\":{\"output_tokens\":12}}",
            "event: message_stop\ndata: {\"type\":\"message_stop\"}",
            "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}",
            "event: response.created\ndata: {\"response\":{\"id\":\"r\",\"error\":null}}",
            "event: response.output_text.delta\ndata: {\"delta\":\"a\"}",
            "event: response.completed\ndata: {\"response\":{\"usage\":{\"input_tokens\":5,\"output_tokens\":6}}}",
            "data: {\"type\":\"response.failed\",\"response\":{\"error\":{\"code\":\"rate_limit_exceeded\"}}}",
            "id: 1\nretry: 5",
            "data");

    @Property(tries = 600, seed = "1")
    void events_are_read_alike_however_they_are_cut(@ForAll long seed, @ForAll Framing framing) {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder();
        int events = random.nextInt(8);
        for (int i = 0; i < events; i++) {
            text.append(EVENTS.get(random.nextInt(EVENTS.size())));
            text.append(SEPARATORS.get(random.nextInt(SEPARATORS.size())));
        }
        byte[] body = text.toString().getBytes(StandardCharsets.UTF_8);

        assertSame(random, framing, body);
    }

    @Property(tries = 600, seed = "1")
    void bytes_that_are_no_events_do_no_harm(@ForAll long seed, @ForAll Framing framing) {
        Random random = new Random(seed);
        byte[] body = new byte[random.nextInt(600)];
        byte[] alphabet = "data: event:\n\r\"{}[]:,errorusagefinish_reason 0123\\".getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < body.length; i++) {
            body[i] = random.nextInt(20) == 0 ? (byte) random.nextInt(256) : alphabet[random.nextInt(alphabet.length)];
        }

        assertSame(random, framing, body);
    }

    private static void assertSame(Random random, Framing framing, byte[] body) {
        EventScanner whole = new EventScanner(framing, new byte[1 << 16]);
        whole.feed(Buffer.buffer(body));
        EventScanner cut = new EventScanner(framing, new byte[1 + random.nextInt(64)]);
        for (int from = 0; from < body.length; ) {
            int to = Math.min(body.length, from + 1 + random.nextInt(1 + random.nextInt(40)));
            cut.feed(Buffer.buffer(body).getBuffer(from, to));
            from = to;
        }
        assertThat(cut.separator()).isEqualTo(whole.separator());
        whole.end();
        cut.end();

        assertThat(told(cut.notes(), framing)).isEqualTo(told(whole.notes(), framing));
    }

    private static List<Object> told(Notes notes, Framing framing) {
        return List.of(
                notes.events(),
                notes.promptTokens(),
                notes.completionTokens(),
                notes.hasContent(),
                notes.done(),
                notes.errorCode(),
                notes.refused(),
                notes.decided(),
                notes.outcome(framing, 1));
    }
}
