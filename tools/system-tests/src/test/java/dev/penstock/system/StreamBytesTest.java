package dev.penstock.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.RawHttp;
import dev.penstock.testkit.Sha256;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client reads is what the engine wrote, to the byte: the engine itself keeps the digest it is held against. */
class StreamBytesTest {
    private static final int MAX_TOKENS = 200;

    @TempDir
    static Path data;

    private static Suite suite;
    private static Map<String, Integer> enginePorts;

    @BeforeAll
    static void up() throws Exception {
        suite = Suite.start(data, 1, 2, "--engines", "2");
        enginePorts = suite.enginePorts();
    }

    @AfterAll
    static void down() throws Exception {
        Suite.close(suite);
    }

    @Test
    void a_stream_arrives_as_the_engine_sent_it() throws Exception {
        assertSameAsSent(ask(Suite.chat(true, MAX_TOKENS)));
    }

    @Test
    void an_answer_in_one_piece_arrives_as_the_engine_sent_it() throws Exception {
        assertSameAsSent(ask(Suite.chat(false, MAX_TOKENS)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void so_does_one_whose_chunks_end_inside_characters(int pieceBytes) throws Exception {
        RawHttp.Response answer = ask(Suite.chat(true, MAX_TOKENS, "x-sim-split: " + pieceBytes));

        assertSameAsSent(answer);
        // Whole events never end inside a character: that some chunk does shows that the header reached the engine.
        assertThat(chunksThatStartInsideACharacter(answer)).isPositive();
    }

    private static RawHttp.Response ask(String request) throws Exception {
        return RawHttp.exchange(suite.routerPorts().getFirst(), request, Suite.ANSWER_TIMEOUT);
    }

    private static void assertSameAsSent(RawHttp.Response answer) {
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.complete()).isTrue();
        assertThat(answer.bodyText()).as("has characters of several bytes").matches(text -> text.chars()
                .anyMatch(c -> c > 127));
        // The router names each attempt at an engine: the first is a1, and there is no second here.
        String sentId = answer.header("x-request-id") + "-a1";
        int enginePort = enginePorts.get(Objects.requireNonNull(answer.header("x-penstock-replica")));
        JsonObject sent = new JsonObject(Suite.get(enginePort, "/sim/streams/" + sentId));
        assertThat(sent.getString("ending")).isEqualTo("completed");
        assertThat(sent.getInteger("bytes")).isEqualTo(answer.body().length);
        assertThat(sent.getString("sha256")).isEqualTo(Sha256.hex(answer.body()));
    }

    private static int chunksThatStartInsideACharacter(RawHttp.Response answer) {
        String raw = answer.rawText();
        int at = raw.indexOf("\r\n\r\n") + 4;
        int count = 0;
        while (true) {
            int sizeEnd = raw.indexOf("\r\n", at);
            int chunkBytes = Integer.parseInt(raw.substring(at, sizeEnd), 16);
            if (chunkBytes == 0) return count;
            boolean continuation = (raw.charAt(sizeEnd + 2) & 0xC0) == 0x80;
            if (continuation) count++;
            at = sizeEnd + 2 + chunkBytes + 2;
        }
    }
}
