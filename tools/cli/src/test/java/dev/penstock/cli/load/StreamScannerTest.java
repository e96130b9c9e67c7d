package dev.penstock.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamScannerTest {
    private int tokens;
    private final StreamScanner scanner = new StreamScanner(() -> tokens++);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 64, 100_000})
    void findsEventsHoweverTheyAreSplit(int size) {
        String stream = StreamServer.ROLE + ": ping\n\n" + StreamServer.token("hé") + StreamServer.token("[DONE]")
                + StreamServer.token(" ") + StreamServer.DONE;

        feed(stream, size);

        assertThat(tokens).isEqualTo(3);
        assertThat(scanner.sawDone()).isTrue();
        assertThat(scanner.sawError()).isFalse();
    }

    @Test
    void textThatLooksLikeAnErrorIsText() {
        feed(StreamServer.token("\\\"error\\\": [DONE]"), 10);

        assertThat(tokens).isEqualTo(1);
        assertThat(scanner.sawError()).isFalse();
        assertThat(scanner.sawDone()).isFalse();
    }

    @Test
    void nullErrorIsNone() {
        feed("data: {\"choices\":[],\"error\": null}\n\n", 10);

        assertThat(scanner.sawError()).isFalse();
    }

    @Test
    void errorEventIsSeen() {
        feed("event: error\ndata: {\"error\": {\"message\":\"x\"}}\n\n", 10);

        assertThat(scanner.sawError()).isTrue();
    }

    private void feed(String stream, int size) {
        byte[] bytes = stream.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length; i += size) {
            scanner.accept(Arrays.copyOfRange(bytes, i, Math.min(bytes.length, i + size)));
        }
    }
}
