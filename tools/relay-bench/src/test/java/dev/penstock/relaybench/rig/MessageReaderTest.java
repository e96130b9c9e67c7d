package dev.penstock.relaybench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MessageReaderTest {
    private static final String STREAM = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "9\r\ndata: 1\n\n\r\n9\r\ndata: 2\n\n\r\n0\r\n\r\n";

    private final MessageReader reader = new MessageReader();

    @Test
    void a_body_with_a_length_ends_with_its_last_byte() {
        assertThat(feed("HTTP/1.1 503 Busy\r\nContent-Length: 5\r\n\r\n1234")).isFalse();
        assertThat(feed("5")).isTrue();
        assertThat(reader.status()).isEqualTo(503);
    }

    @Test
    void events_of_a_stream_are_counted_wherever_it_is_cut() {
        for (int cut = 0; cut <= STREAM.length(); cut++) {
            reader.clear();
            boolean early = feed(STREAM.substring(0, cut));
            boolean late = feed(STREAM.substring(cut));

            assertThat(early).as("cut at %d", cut).isEqualTo(cut == STREAM.length());
            assertThat(early || late).as("cut at %d", cut).isTrue();
            assertThat(reader.events()).as("cut at %d", cut).isEqualTo(2);
        }
    }

    private boolean feed(String text) {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
        return bytes.hasRemaining() && reader.feed(bytes);
    }
}
