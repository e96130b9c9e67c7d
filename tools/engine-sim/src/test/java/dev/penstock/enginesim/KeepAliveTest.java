package dev.penstock.enginesim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KeepAliveTest {
    private static final String GET = "GET %s HTTP/1.1\r\nhost: engine\r\n%s\r\n";
    private static final String UPGRADE = "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n"
            + "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

    private final AtomicLong now = new AtomicLong();
    private final Vertx vertx = Vertx.vertx();
    private final KeepAlive keepAlive = new KeepAlive(vertx, now::get);
    private final HttpServer server = RunningFleet.await(vertx.createHttpServer()
            .connectionHandler(keepAlive::opened)
            .requestHandler(request -> {
                keepAlive.busy(request);
                if (request.path().equals("/stream")) {
                    request.response().setChunked(true).writeHead();
                } else if (request.path().equals("/socket")) {
                    request.toWebSocket();
                } else {
                    request.response().end("ok");
                }
            })
            .listen(0, "127.0.0.1"));

    @AfterEach
    void stop() {
        RunningFleet.await(vertx.close());
    }

    private Socket answered(String path, String end) throws Exception {
        Socket socket = new Socket("127.0.0.1", server.actualPort());
        socket.setSoTimeout(2000);
        String more = path.equals("/socket") ? UPGRADE : "";
        socket.getOutputStream().write(GET.formatted(path, more).getBytes(StandardCharsets.US_ASCII));
        StringBuilder read = new StringBuilder();
        while (!read.toString().endsWith(end)) {
            read.append((char) socket.getInputStream().read());
        }
        return socket;
    }

    @Test
    void a_connection_that_idles_for_five_seconds_is_closed_and_a_silent_stream_is_not() throws Exception {
        try (Socket idle = answered("/", "ok");
                Socket stream = answered("/stream", "\r\n\r\n")) {
            now.addAndGet(KeepAlive.IDLE_NANOS);

            assertThat(idle.getInputStream().read()).isEqualTo(-1);
            assertThat(isSilent(stream)).isTrue();
        }
    }

    @Test
    void a_connection_used_within_five_seconds_stays() throws Exception {
        try (Socket idle = answered("/", "ok")) {
            now.addAndGet(KeepAlive.IDLE_NANOS - 1);

            assertThat(isSilent(idle)).isTrue();
        }
    }

    @Test
    void a_websocket_is_not_idle_and_is_closed_with_all_others() throws Exception {
        try (Socket socket = answered("/socket", "\r\n\r\n")) {
            now.addAndGet(KeepAlive.IDLE_NANOS);

            assertThat(isSilent(socket)).isTrue();
            socket.setSoTimeout(2000);
            keepAlive.resetAll();
            assertThatThrownBy(() -> socket.getInputStream().read()).hasMessage("Connection reset");
        }
    }

    /** For longer than the sweep takes to come round. */
    private static boolean isSilent(Socket socket) throws Exception {
        socket.setSoTimeout(400);
        try {
            socket.getInputStream().read();
            return false;
        } catch (SocketTimeoutException _) {
            return true;
        }
    }
}
