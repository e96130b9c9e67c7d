package dev.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testkit.RawHttp.Ending;
import dev.penstock.testkit.RawHttp.Response;
import java.io.ByteArrayOutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class RawHttpTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

    @Test
    void the_bytes_sent_are_exactly_those_given() throws Exception {
        ByteArrayOutputStream seen = new ByteArrayOutputStream();
        CountDownLatch done = new CountDownLatch(1);
        try (SocketServer server = SocketServer.start(socket -> {
                    socket.getInputStream().transferTo(seen);
                    done.countDown();
                });
                RawHttp http = RawHttp.connect(server.port())) {
            http.send("GET  / HTTP/1.1\nX:\u00e9\r\n\r\n").halfClose();
            done.await();
        }

        assertThat(seen.toString(StandardCharsets.ISO_8859_1)).isEqualTo("GET  / HTTP/1.1\nX:\u00e9\r\n\r\n");
    }

    @Test
    void responses_on_one_connection_are_told_apart() throws Exception {
        String first = "HTTP/1.1 100 Continue\r\n\r\n";
        String second = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nx-Y:  z \r\n\r\nhello";
        String third = CHUNKED + "5;ext=1\r\nab\r\nc\r\n0\r\nTrailer: t\r\n\r\n";
        try (SocketServer server = answering(first + second + third, Then.WAIT);
                RawHttp http = RawHttp.connect(server.port()).send("go\n")) {
            assertThat(http.readResponse(PATIENCE).status()).isEqualTo(100);

            Response sized = http.readResponse(PATIENCE);
            assertThat(sized.statusLine()).isEqualTo("HTTP/1.1 200 OK");
            assertThat(sized.bodyText()).isEqualTo("hello");
            assertThat(sized.header("X-y")).isEqualTo("z");
            assertThat(sized.header("absent")).isNull();
            assertThat(sized.rawText()).isEqualTo(second);

            Response chunked = http.readResponse(PATIENCE);
            assertThat(chunked.bodyText()).isEqualTo("ab\r\nc");
            assertThat(chunked.rawText()).isEqualTo(third);
            assertThat(chunked.complete()).isTrue();
            assertThat(chunked.ending()).isEqualTo(Ending.OPEN);
        }
    }

    @Test
    void a_body_without_framing_ends_with_the_connection() throws Exception {
        Response response = exchange("HTTP/1.0 200 OK\r\n\r\nuntil the end", Then.FIN);

        assertThat(response.bodyText()).isEqualTo("until the end");
        assertThat(response.complete()).isTrue();
        assertThat(response.ending()).isEqualTo(Ending.FIN);
    }

    @Test
    void a_cut_stream_is_reported_with_what_arrived() throws Exception {
        Response fin = exchange(CHUNKED + "3\r\nabc\r\n5\r\nde", Then.FIN);
        assertThat(fin.bodyText()).isEqualTo("abcde");
        assertThat(fin.complete()).isFalse();
        assertThat(fin.ending()).isEqualTo(Ending.FIN);

        Response timeout = RawHttpTest.exchange(CHUNKED + "3\r\nabc\r\n", Then.WAIT, Duration.ofMillis(150));
        assertThat(timeout.bodyText()).isEqualTo("abc");
        assertThat(timeout.ending()).isEqualTo(Ending.TIMEOUT);

        Response nothing = exchange("", Then.RST);
        assertThat(nothing.status()).isEqualTo(-1);
        assertThat(nothing.ending()).isEqualTo(Ending.RST);
    }

    @Test
    void text_is_awaited_inside_an_open_stream() throws Exception {
        try (SocketServer server = answering(CHUNKED + "3\r\nabc\r\n", Then.WAIT);
                RawHttp http = RawHttp.connect(server.port()).send("go\n")) {
            assertThat(http.awaitText("abc", PATIENCE)).startsWith(CHUNKED);
            assertThatThrownBy(() -> http.awaitText("xyz", Duration.ofMillis(50)))
                    .hasMessageContaining("xyz");
        }
    }

    @Test
    void a_large_chunked_body_is_read_whole() throws Exception {
        String answer = CHUNKED + ("400\r\n" + "x".repeat(1024) + "\r\n").repeat(2_000) + "0\r\n\r\n";

        Response response = exchange(answer, Then.WAIT);

        assertThat(response.body()).hasSize(2_000 * 1024);
        assertThat(response.complete()).isTrue();
    }

    private enum Then {
        FIN,
        RST,
        WAIT
    }

    private static Response exchange(String answer, Then then) throws Exception {
        return exchange(answer, then, PATIENCE);
    }

    private static Response exchange(String answer, Then then, Duration timeout) throws Exception {
        try (SocketServer server = answering(answer, then)) {
            return RawHttp.exchange(server.port(), "go\n", timeout);
        }
    }

    private static SocketServer answering(String answer, Then then) throws Exception {
        return SocketServer.start(socket -> answer(socket, answer, then));
    }

    private static void answer(Socket socket, String answer, Then then) throws Exception {
        while (socket.getInputStream().read() != '\n') {}
        socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
        if (then == Then.RST) socket.setSoLinger(true, 0);
        if (then == Then.WAIT) socket.getInputStream().read();
    }
}
