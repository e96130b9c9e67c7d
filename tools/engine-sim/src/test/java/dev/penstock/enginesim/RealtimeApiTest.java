package dev.penstock.enginesim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.enginesim.engine.Ending;
import dev.penstock.enginesim.fault.Fault;
import java.net.Socket;
import java.net.URI;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The WebSocket {@code /v1/realtime}. */
class RealtimeApiTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    /** 3 bytes. */
    private static final String APPEND = "{\"type\":\"input_audio_buffer.append\",\"audio\":\"AAEC\"}";

    private static final String COMMIT = "{\"type\":\"input_audio_buffer.commit\"}";

    private static final String HANDSHAKE = "GET /v1/realtime HTTP/1.1\r\nhost: engine\r\nconnection: upgrade\r\n"
            + "upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

    private RunningFleet running;
    private final Events events = new Events();

    /** What a session's client hears: messages, then {@code close CODE}, 1006 for an end without one. */
    private static final class Events implements WebSocket.Listener {
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        private final StringBuilder part = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            part.append(data);
            if (last) {
                heard.add(part.toString());
                part.setLength(0);
            }
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            heard.add("close " + code);
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable failure) {
            heard.add("close 1006");
        }

        String next() throws InterruptedException {
            String next = heard.poll(SOON.toSeconds(), TimeUnit.SECONDS);
            assertThat(next).as("within " + SOON).isNotNull();
            return next;
        }

        /** All up to the one that starts so, with it. */
        List<String> through(String start) throws InterruptedException {
            List<String> all = new ArrayList<>();
            do {
                all.add(next());
            } while (!all.getLast().startsWith(start));
            return all;
        }
    }

    @BeforeEach
    void start() {
        running = RunningFleet.ofOne();
    }

    @AfterEach
    void stop() {
        running.close();
    }

    private WebSocket connect() {
        return running.client
                .newWebSocketBuilder()
                .header("X-Request-Id", "ws")
                .buildAsync(URI.create("ws://127.0.0.1:" + running.engine.port() + "/v1/realtime"), events)
                .join();
    }

    private static void send(WebSocket socket, String message) {
        socket.sendText(message, true).join();
    }

    @Test
    void sound_is_appended_committed_and_told_as_words() throws Exception {
        WebSocket socket = connect();
        List<String> all = new ArrayList<>(events.through("{\"type\":\"session.created\",\"id\":\"sess-ws\""));

        send(socket, "{\"type\":\"session.update\",\"model\":\"sim/llama-3-8b\"}");
        send(socket, APPEND);
        send(socket, COMMIT);
        List<String> told = events.through("{\"type\":\"transcription.done\"");
        all.addAll(told);
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();

        ObjectMapper json = new ObjectMapper();
        StringBuilder deltas = new StringBuilder();
        for (String delta : told.subList(0, told.size() - 1)) {
            assertThat(delta).startsWith("{\"type\":\"transcription.delta\",\"delta\":");
            deltas.append(json.readTree(delta).path("delta").asText());
        }
        assertThat(told).hasSize(9);
        assertThat(json.readTree(told.getLast()).path("text").asText()).isEqualTo(deltas.toString());
        assertThat(told.getLast()).endsWith("\"completion_tokens\":8,\"prompt_tokens_details\":null}}");
        assertThat(events.next()).isEqualTo("close 1000");
        RunningFleet.awaitUntil("the digest", SOON, () -> running.engine.sentBody("ws") != null);
        byte[] sent = String.join("", all).getBytes(StandardCharsets.UTF_8);
        assertThat(running.engine.sentBody("ws"))
                .extracting("sha256", "ending")
                .containsExactly(
                        HexFormat.of()
                                .formatHex(MessageDigest.getInstance("SHA-256").digest(sent)),
                        Ending.COMPLETED);
    }

    @Test
    void a_commit_counts_as_a_request_while_it_is_worked_on() throws Exception {
        running.fault(new Fault.Stall());
        WebSocket socket = connect();
        events.next();
        assertThat(running.engine.state().inflight()).isZero();

        send(socket, APPEND);
        send(socket, COMMIT);
        RunningFleet.awaitUntil("in flight", SOON, () -> running.engine.state().inflight() == 1);
        running.clearFault();

        events.through("{\"type\":\"transcription.done\"");
        assertThat(running.engine.state().inflight()).isZero();
        assertThat(running.engine.state().requests().completed()).isEqualTo(1);
    }

    @Test
    void a_client_that_goes_while_words_come_is_a_cancellation() throws Exception {
        running.fault(new Fault.Stall());
        WebSocket socket = connect();
        send(socket, APPEND);
        send(socket, COMMIT);
        RunningFleet.awaitUntil("in flight", SOON, () -> running.engine.state().inflight() == 1);

        socket.abort();

        RunningFleet.awaitUntil(
                "cancelled", SOON, () -> running.engine.state().requests().cancelled() == 1);
        assertThat(running.engine.state().inflight()).isZero();
        assertThat(running.engine.state().waiting()).isZero();
    }

    @Test
    void mistakes_are_told_and_the_session_goes_on() throws Exception {
        WebSocket socket = connect();
        events.next();
        for (String[] mistake : new String[][] {
            {"{oops", "invalid_json"},
            {"{\"type\":\"dance\"}", "unknown_event"},
            {"{\"type\":\"input_audio_buffer.append\",\"audio\":\"*\"}", "invalid_audio"},
            {COMMIT, "processing_error"},
            {"{\"type\":\"session.update\",\"model\":\"gpt\"}", "model_not_found"},
        }) {
            send(socket, mistake[0]);

            assertThat(events.next()).startsWith("{\"type\":\"error\"").endsWith("\"code\":\"" + mistake[1] + "\"}");
        }
        send(socket, APPEND);
        send(socket, COMMIT);
        assertThat(events.through("{\"type\":\"transcription.done\"")).hasSize(9);
    }

    @Test
    void bytes_close_the_session_with_1003_and_a_dead_engine_with_1011() throws Exception {
        WebSocket socket = connect();
        events.next();
        socket.sendBinary(ByteBuffer.allocate(3), true).join();
        assertThat(events.next()).isEqualTo("close 1003");

        running.fault(new Fault.Slow(10_000));
        WebSocket another = connect();
        events.next();
        send(another, APPEND);
        send(another, COMMIT);
        RunningFleet.awaitUntil("in flight", SOON, () -> running.engine.state().inflight() == 1);
        running.fault(new Fault.Dead(60_000));

        assertThat(events.through("{\"type\":\"error\"")).last().asString().contains("processing_error");
        assertThat(events.next()).isEqualTo("close 1011");
    }

    @Test
    void a_stream_error_is_an_event_after_some_words() throws Exception {
        WebSocket socket = connect();
        events.next();
        running.fault(new Fault.StreamError(2, 100));
        send(socket, APPEND);
        send(socket, COMMIT);
        assertThat(events.through("{\"type\":\"error\"")).hasSize(3);
    }

    /** Over a bare socket, since the JDK's client does not always tell of an end without a close frame. */
    @Test
    void truncate_ends_the_connection_without_a_close_frame() throws Exception {
        running.fault(new Fault.Truncate(4));
        try (Socket socket = new Socket("127.0.0.1", running.engine.port())) {
            socket.setSoTimeout((int) SOON.toMillis());
            socket.getOutputStream().write(HANDSHAKE.getBytes(StandardCharsets.US_ASCII));
            // Frames must wait for the upgrade; the session's first event follows it.
            StringBuilder begun = new StringBuilder();
            while (!(begun.indexOf("session.created") > 0 && begun.toString().endsWith("}"))) {
                begun.append((char) socket.getInputStream().read());
            }
            socket.getOutputStream().write(frame(APPEND));
            socket.getOutputStream().write(frame(COMMIT));

            String got = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);

            assertThat(got.split("transcription.delta", -1)).hasSize(5);
            // A close frame is the two bytes 88 00, or 88 02 and a code.
            assertThat(got).endsWith("\"}");
        }
        assertThat(running.engine.state().requests().cut()).isEqualTo(1);
    }

    /** A text frame of less than 126 bytes, masked with zeros. */
    private static byte[] frame(String text) {
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        byte[] frame = new byte[6 + payload.length];
        frame[0] = (byte) 0x81;
        frame[1] = (byte) (0x80 | payload.length);
        System.arraycopy(payload, 0, frame, 6, payload.length);
        return frame;
    }

    @Test
    void a_killed_engine_resets_its_sessions() throws Exception {
        connect();
        events.next();

        running.fault(new Fault.Kill());

        assertThat(events.next()).isEqualTo("close 1006");
    }

    @Test
    void a_handshake_is_refused_like_a_request_and_a_plain_request_finds_nothing() throws Exception {
        assertThat(running.get("/v1/realtime").statusCode()).isEqualTo(404);

        running.fault(new Fault.ErrorStatus(503));

        assertThatThrownBy(this::connect)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(WebSocketHandshakeException.class, refused -> assertThat(
                                refused.getResponse().statusCode())
                        .isEqualTo(503));
    }
}
