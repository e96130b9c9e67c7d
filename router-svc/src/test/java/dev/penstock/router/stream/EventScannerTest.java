package dev.penstock.router.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.model.Outcome;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventScannerTest {
    private static final String ROLE = "data:"
        + " {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"finish_reason\":null}]}";
    private static final String TEXT =
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"水路: \\\"finish_reason\\\":\\\"abort\\\""
                    + " 🚰\"}}]}";
    private static final String STOP = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}";
    private static final String USAGE = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"total_tokens\":4,"
            + "\"completion_tokens\":1,\"prompt_tokens_details\":{\"cached_tokens\":7}}}";
    private static final String DONE = "data: [DONE]";
    private static final List<String> EVENTS = List.of(ROLE, TEXT, STOP, USAGE, DONE);

    @Test
    void every_cut_of_every_line_ending_reads_the_same() {
        List<List<String>> separators = List.of(
                List.of("\n\n", "\n\n", "\n\n", "\n\n", "\n\n"),
                List.of("\r\n\r\n", "\r\n\r\n", "\r\n\r\n", "\r\n\r\n", "\r\n\r\n"),
                List.of("\r\r", "\n\r\n", "\r\n\n", "\r\n\r\n", "\n\n"));
        for (List<String> each : separators) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < EVENTS.size(); i++) text.append(EVENTS.get(i)).append(each.get(i));
            byte[] body = text.toString().getBytes(StandardCharsets.UTF_8);
            for (int cut = 0; cut <= body.length; cut++) assertWhole(scan(Framing.CHAT, body, cut));
            assertWhole(scanByteByByte(body));
        }
    }

    private static void assertWhole(EventScanner scanner) {
        Notes notes = scanner.notes();
        assertThat(notes.events()).isEqualTo(5);
        assertThat(notes.done()).isTrue();
        assertThat(notes.hasContent()).isTrue();
        assertThat(notes.promptTokens()).isEqualTo(3);
        assertThat(notes.completionTokens()).isEqualTo(1);
        assertThat(notes.outcome(Framing.CHAT, 1)).isEqualTo(Outcome.OK);
        assertThat(scanner.separator()).isEmpty();
    }

    @Test
    void an_end_without_its_blank_line_still_counts() {
        String finish = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}],"
                + "\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":1}}";

        for (String end : List.of("", "\n", "\r", "\n\n")) {
            EventScanner scanner = scan(Framing.CHAT, (finish + end).getBytes(StandardCharsets.UTF_8), 0);

            assertThat(scanner.notes().outcome(Framing.CHAT, 1)).isEqualTo(Outcome.OK);
            assertThat(scanner.notes().completionTokens()).isEqualTo(1);
        }
    }

    @Test
    void a_stream_without_a_finish_reason_is_incomplete_whatever_ends_it() {
        assertThat(outcome(Framing.CHAT, TEXT + "\n\n")).isEqualTo(Outcome.INCOMPLETE_STREAM);
        assertThat(outcome(Framing.CHAT, TEXT + "\n\n" + DONE + "\n\n")).isEqualTo(Outcome.INCOMPLETE_STREAM);
        assertThat(scan(Framing.CHAT, (TEXT + "\n\n" + STOP + "\n\n").getBytes(StandardCharsets.UTF_8), 0)
                        .notes()
                        .outcome(Framing.CHAT, 2))
                .isEqualTo(Outcome.INCOMPLETE_STREAM);
    }

    @Test
    void errors_in_a_stream_are_told_apart_by_their_code() {
        assertThat(outcome(Framing.CHAT, error("400"))).isEqualTo(Outcome.CLIENT_ERROR);
        assertThat(outcome(Framing.CHAT, error("503"))).isEqualTo(Outcome.BACKPRESSURE);
        assertThat(outcome(Framing.CHAT, error("\"429\""))).isEqualTo(Outcome.BACKPRESSURE);
        assertThat(outcome(Framing.CHAT, error("500"))).isEqualTo(Outcome.REPLICA_ERROR);
        assertThat(outcome(Framing.CHAT, error("null"))).isEqualTo(Outcome.REPLICA_ERROR);
    }

    private static String error(String code) {
        return "data: {\"error\":{\"object\":\"error\",\"message\":\"m\",\"param\":null,\"code\":" + code + "}}\n\n"
                + DONE + "\n\n";
    }

    @Test
    void a_refusal_is_one_only_before_any_content() {
        String abort = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"abort\"}]}\n\n";

        EventScanner atOnce = scan(Framing.CHAT, (ROLE + "\n\n" + abort).getBytes(StandardCharsets.UTF_8), 0);
        EventScanner late = scan(Framing.CHAT, (TEXT + "\n\n" + abort).getBytes(StandardCharsets.UTF_8), 0);

        assertThat(atOnce.notes().refused()).isTrue();
        assertThat(atOnce.notes().refusedStatus()).isEqualTo(503);
        assertThat(late.notes().refused()).isFalse();
        assertThat(late.notes().outcome(Framing.CHAT, 1)).isEqualTo(Outcome.INCOMPLETE_STREAM);
    }

    @Test
    void an_opening_event_decides_nothing() {
        EventScanner scanner = scan(Framing.CHAT, (ROLE + "\n\n").getBytes(StandardCharsets.UTF_8), 0);

        assertThat(scanner.notes().decided()).isFalse();
    }

    @Test
    void anthropic_streams_end_with_message_stop() {
        String start = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":"
                + "{\"input_tokens\":9,\"output_tokens\":1}}}\n\n";
        String delta = "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":{}}\n\n";
        String usage = "event: message_delta\ndata: {\"type\":\"message_delta\",\"usage\":{\"output_tokens\":12}}\n\n";
        String stop = "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
        String failed = "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}\n\n";

        EventScanner whole = scan(Framing.MESSAGES, (start + delta + usage + stop).getBytes(StandardCharsets.UTF_8), 7);

        assertThat(whole.notes().outcome(Framing.MESSAGES, 1)).isEqualTo(Outcome.OK);
        assertThat(whole.notes().promptTokens()).isEqualTo(9);
        assertThat(whole.notes().completionTokens()).isEqualTo(12);
        assertThat(outcome(Framing.MESSAGES, start + delta)).isEqualTo(Outcome.INCOMPLETE_STREAM);
        assertThat(outcome(Framing.MESSAGES, start + failed)).isEqualTo(Outcome.BACKPRESSURE);
    }

    @Test
    void response_streams_end_with_completed_and_no_text_of_theirs_is_an_error() {
        String created = "event: response.created\ndata: {\"response\":{\"id\":\"r\",\"error\":null}}\n\n";
        String delta = "event: response.output_text.delta\ndata: {\"delta\":\"a\"}\n\n";
        String completed = "event: response.completed\ndata: {\"response\":{\"error\":null,\"usage\":"
                + "{\"input_tokens\":5,\"output_tokens\":6}}}\n\n";
        String failed = "data: {\"type\":\"response.failed\",\"response\":{\"error\":{\"code\":\"server_error\"}}}\n\n";

        assertThat(outcome(Framing.RESPONSES, created + delta + completed)).isEqualTo(Outcome.OK);
        assertThat(outcome(Framing.RESPONSES, created + delta)).isEqualTo(Outcome.INCOMPLETE_STREAM);
        assertThat(outcome(Framing.RESPONSES, created + failed)).isEqualTo(Outcome.REPLICA_ERROR);
        assertThat(scan(Framing.RESPONSES, created.getBytes(StandardCharsets.UTF_8), 3)
                        .notes()
                        .decided())
                .isFalse();
    }

    @Test
    void a_stream_that_stops_anywhere_says_how_its_event_is_ended() {
        assertThat(scan(Framing.CHAT, "data: {\"a".getBytes(StandardCharsets.UTF_8), 0, false)
                        .separator())
                .isEqualTo("\n\n");
        assertThat(scan(Framing.CHAT, "data: {}\n".getBytes(StandardCharsets.UTF_8), 0, false)
                        .separator())
                .isEqualTo("\n");
        assertThat(scan(Framing.CHAT, "data: {}\n\n".getBytes(StandardCharsets.UTF_8), 0, false)
                        .separator())
                .isEmpty();
    }

    private static Outcome outcome(Framing framing, String body) {
        return scan(framing, body.getBytes(StandardCharsets.UTF_8), 0).notes().outcome(framing, 1);
    }

    private static EventScanner scan(Framing framing, byte[] body, int cut) {
        return scan(framing, body, cut, true);
    }

    private static EventScanner scan(Framing framing, byte[] body, int cut, boolean end) {
        EventScanner scanner = new EventScanner(framing, new byte[1_024]);
        Buffer whole = Buffer.buffer(body);
        scanner.feed(whole.getBuffer(0, cut));
        scanner.feed(whole.getBuffer(cut, body.length));
        if (end) scanner.end();
        return scanner;
    }

    private static EventScanner scanByteByByte(byte[] body) {
        EventScanner scanner = new EventScanner(Framing.CHAT, new byte[16]);
        for (byte each : body) scanner.feed(Buffer.buffer(new byte[] {each}));
        scanner.end();
        return scanner;
    }
}
