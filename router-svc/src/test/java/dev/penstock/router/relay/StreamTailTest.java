package dev.penstock.router.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.Test;

class StreamTailTest {
    private static final String STREAM = "data: {\"content\":\"水路 long enough to fill the tail\"}\n\ndata: [DONE]\n\n";

    @Test
    void done_is_seen_wherever_the_stream_is_cut() {
        Buffer whole = Buffer.buffer(STREAM);
        for (int cut = 0; cut <= whole.length(); cut++) {
            StreamTail tail = new StreamTail();
            tail.append(whole.slice(0, cut));
            tail.append(whole.slice(cut, whole.length()));
            assertThat(tail.sawDone()).as("cut at %d", cut).isTrue();
        }
        StreamTail byBytes = new StreamTail();
        for (int i = 0; i < whole.length(); i++) byBytes.append(whole.slice(i, i + 1));
        assertThat(byBytes.sawDone()).isTrue();
        assertThat(byBytes.insideLine()).isFalse();
    }

    @Test
    void a_stream_cut_short_is_not_done() {
        StreamTail tail = new StreamTail();
        tail.append(Buffer.buffer("data: {\"content\":\"par"));

        assertThat(tail.sawDone()).isFalse();
        assertThat(tail.insideLine()).isTrue();
    }
}
