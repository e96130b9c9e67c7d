package dev.penstock.testkit.raw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testkit.RawHttp.Ending;
import dev.penstock.testkit.RawHttp.Response;
import dev.penstock.testkit.SocketServer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class RawClientTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    @Test
    void exactly_the_bytes_given_are_sent() throws Exception {
        ByteArrayOutputStream seen = new ByteArrayOutputStream();
        CountDownLatch done = new CountDownLatch(1);
        try (SocketServer server = SocketServer.start(socket -> {
                    socket.getInputStream().transferTo(seen);
                    done.countDown();
                });
                RawClient client = RawClient.connect(server.port())) {
            client.send("GET  / HTTP/1.1\nX:é\r\n")
                    .sendSlowly("12345".getBytes(StandardCharsets.ISO_8859_1), 2, Duration.ofMillis(10))
                    .halfClose();
            done.await();
        }

        assertThat(seen.toString(StandardCharsets.ISO_8859_1)).isEqualTo("GET  / HTTP/1.1\nX:é\r\n12345");
    }

    @Test
    void answers_are_told_apart_and_an_incomplete_one_is_said_to_be() throws Exception {
        String sent = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n"
                + "HTTP/1.1 204 X\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort";
        try (SocketServer server = SocketServer.start(socket -> {
                    socket.getOutputStream().write(sent.getBytes(StandardCharsets.ISO_8859_1));
                    socket.shutdownOutput();
                    socket.getInputStream().read();
                });
                RawClient client = RawClient.connect(server.port())) {
            Received received = client.awaitEnd(SOON);

            assertThat(received.statuses()).containsExactly(200, 204, 200);
            assertThat(received.responses().stream().map(Response::complete)).containsExactly(true, true, false);
            assertThat(received.responses().getLast().bodyText()).isEqualTo("short");
            assertThat(received.ending()).isEqualTo(Ending.FIN);
            assertThat(received.endedNanos()).isGreaterThanOrEqualTo(received.arrivedNanos("short"));
            assertThat(received.arrivedNanos("never")).isEqualTo(-1);
        }
    }

    @Test
    void an_answer_without_framing_is_whole_when_the_connection_ends() throws Exception {
        try (SocketServer server = SocketServer.start(socket -> {
            socket.getOutputStream().write("HTTP/1.0 200 OK\r\n\r\nall".getBytes(StandardCharsets.ISO_8859_1));
        })) {
            Received received = RawClient.exchange(server.port(), new byte[0], SOON);

            assertThat(received.answer().complete()).isTrue();
            assertThat(received.bodyText()).isEqualTo("all");
        }
    }

    @Test
    void waiting_in_vain_says_what_came() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (SocketServer server = SocketServer.start(socket -> {
                    socket.getOutputStream().write('x');
                    over.await();
                });
                RawClient client = RawClient.connect(server.port())) {
            client.awaitText("x", SOON);
            assertThatThrownBy(() -> client.awaitText("y", Duration.ofMillis(30)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("received: x");
            over.countDown();
        }
    }
}
