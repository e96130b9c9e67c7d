package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.RawHttp.Ending;
import dev.penstock.testkit.RawHttp.Response;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.RawClient;
import dev.penstock.testkit.raw.Received;
import dev.penstock.testkit.raw.SeenRequest;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.http.WebSocketFrame;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sessions are decided before they are agreed to, relayed frame by frame as they are, and end once on both sides. */
@ExtendWith(CaseExtension.class)
class RealtimeTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration AT_ONCE = Duration.ofSeconds(1);
    private static final String AGREED = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
            + "Connection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n";
    /** A whole text frame of an engine's. */
    private static final String HI = "\u0081\u0002hi";

    /** 12 MB: more than sockets hold, so that the last of it waits in the router for a peer that reads by 4 KB. */
    private static final int MANY_FRAMES = 200;

    private static final int LONG_FRAME = 60_000;
    private static final int SMALL_WINDOW = 4 << 10;
    private static final Duration UNTIL_ALL_IS_FULL = Duration.ofMillis(500);
    /** A close with a code, masked as a client's is. */
    private static final int CLOSE_BYTES = 8;

    private static final String[] ASKING = {
        "Connection: keep-alive, Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    };
    private static final Vertx VERTX = Vertx.vertx();
    private static final WebSocketClient CLIENT = VERTX.createWebSocketClient(
            new WebSocketClientOptions().setMaxFrameSize(64 << 20).setMaxMessageSize(64 << 20));

    private final CaseInfra infra;
    private final RouterScene scene;

    RealtimeTest(CaseInfra infra, RouterScene scene) {
        this.infra = infra;
        this.scene = scene;
    }

    @AfterAll
    static void close() throws Exception {
        await(VERTX.close());
    }

    @Test
    void frames_pass_as_they_are() throws Exception {
        try (WebSocketEngine engine = WebSocketEngine.start(VERTX);
                Guests guests = Guests.join(scene, "org/rt-frames", engine.port())) {
            WebSocket socket = connect("org/rt-frames");
            List<String> back = new CopyOnWriteArrayList<>();
            socket.frameHandler(frame -> {
                if (!frame.type().name().equals("PONG")) back.add(frame.type() + " " + frame.isFinal());
            });
            List<String> pongs = new CopyOnWriteArrayList<>();
            socket.pongHandler(pong -> pongs.add(pong.toString()));
            assertThat(guests.inflight()).isEqualTo(1);

            await(socket.writeFinalTextFrame("one"));
            await(socket.writeFrame(WebSocketFrame.textFrame("be", false)));
            await(socket.writePing(Buffer.buffer("in between")));
            await(socket.writeFrame(WebSocketFrame.continuationFrame(Buffer.buffer("gun"), true)));
            await(socket.writeFinalBinaryFrame(Buffer.buffer(new byte[10_000_000])));

            Await.until("all are back", SOON, () -> back.size() == 4);
            assertThat(engine.frames())
                    .contains("TEXT last 3", "TEXT more 2", "CONTINUATION last 3", "BINARY last 10000000");
            assertThat(back).containsExactly("TEXT true", "TEXT false", "CONTINUATION true", "BINARY true");
            assertThat(pongs).containsExactly("in between");
            await(socket.close());
            guests.awaitIdle();
        }
    }

    @Test
    void closes_pass_with_their_codes() throws Exception {
        try (WebSocketEngine engine = WebSocketEngine.start(VERTX);
                Guests guests = Guests.join(scene, "org/rt-close", engine.port())) {
            Outcomes before = scene.outcomes();
            WebSocket first = connect("org/rt-close");
            await(first.close((short) 4002, "bye"));
            Await.until("closed by the client", SOON, () -> engine.closes().equals(List.of((short) 4002)));
            guests.awaitIdle();

            WebSocket second = connect("org/rt-close");
            await(second.writeTextMessage(WebSocketEngine.CLOSE));
            Await.until("closed by the engine", SOON, second::isClosed);

            assertThat(second.closeStatusCode()).isEqualTo(WebSocketEngine.OWN_CODE);
            assertThat(second.closeReason()).isEqualTo("told to");
            guests.awaitIdle();
            Await.value("outcomes", SOON, () -> scene.outcomes().since(before).counts(), Map.of("ok", 2L)::equals);
        }
    }

    @Test
    void a_frame_that_is_too_big_ends_the_session() throws Exception {
        try (WebSocketEngine engine = WebSocketEngine.start(VERTX);
                Guests guests = Guests.join(scene, "org/rt-big", engine.port())) {
            Outcomes before = scene.outcomes();
            WebSocket socket = connect("org/rt-big");
            socket.exceptionHandler(cut -> {});

            socket.writeFinalBinaryFrame(Buffer.buffer(new byte[(16 << 20) + 1]));

            Await.until("closed", SOON, () -> socket.closeStatusCode() != null);
            assertThat(socket.closeStatusCode()).isEqualTo((short) 1009);
            Await.until("closed at the engine", SOON, () -> engine.closes().equals(List.of((short) 1009)));
            guests.awaitIdle();
            Await.value(
                    "outcomes",
                    SOON,
                    () -> scene.outcomes().since(before).counts(),
                    Map.of("client_error", 1L)::equals);
        }
    }

    @Test
    void a_slow_reader_slows_its_engine() throws Exception {
        try (WebSocketEngine engine = WebSocketEngine.start(VERTX);
                Guests guests = Guests.join(scene, "org/rt-slow", engine.port())) {
            WebSocket socket = connect("org/rt-slow");
            AtomicLong received = new AtomicLong();
            socket.binaryMessageHandler(message -> received.addAndGet(message.length()));
            socket.pause();
            await(socket.writeTextMessage(WebSocketEngine.FLOOD));

            long still = still(engine);
            assertThat(still).isLessThan(WebSocketEngine.FLOOD_BYTES / 2);

            socket.resume();
            Await.until("all came", SOON, () -> received.get() == WebSocketEngine.FLOOD_BYTES);
            await(socket.close());
            guests.awaitIdle();
        }
    }

    @Test
    void what_an_engine_said_before_it_closed_reaches_a_slow_reader() throws Exception {
        byte[] frame = new byte[4 + LONG_FRAME];
        frame[0] = (byte) 0x82;
        frame[1] = 126;
        frame[2] = (byte) (LONG_FRAME >> 8);
        frame[3] = (byte) LONG_FRAME;
        byte[] close = {(byte) 0x88, 2, 0x0f, (byte) 0xa1};
        byte[] all = Requests.joined(times(MANY_FRAMES, frame), close);
        try (Fleet fleet = scene.fleet("org/rt-last", 1);
                Socket client = new Socket()) {
            Outcomes before = scene.outcomes();
            fleet.script(seen -> Plan.start()
                    .send(agreed(seen.values("sec-websocket-key").getFirst()))
                    .send(all)
                    .fin());
            client.setSoTimeout((int) SOON.toMillis());
            client.setReceiveBufferSize(SMALL_WINDOW);
            client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), scene.port()));
            client.getOutputStream().write(asking("org/rt-last"));
            Await.until("asked", SOON, () -> fleet.count() == 1);
            TimeUnit.NANOSECONDS.sleep(UNTIL_ALL_IS_FULL.toNanos());

            byte[] answer = readTo(close, client.getInputStream());

            assertThat(Arrays.copyOfRange(answer, answer.length - all.length, answer.length))
                    .isEqualTo(all);
            client.getOutputStream().write(new byte[] {(byte) 0x88, (byte) 0x82, 0, 0, 0, 0, 0x0f, (byte) 0xa1});
            assertThat(client.getInputStream().read()).isEqualTo(-1);
            fleet.awaitIdle();
            Await.value("outcomes", SOON, () -> scene.outcomes().since(before).counts(), Map.of("ok", 1L)::equals);
        }
    }

    private static byte[] times(int count, byte[] frame) {
        byte[] all = new byte[count * frame.length];
        for (int i = 0; i < count; i++) System.arraycopy(frame, 0, all, i * frame.length, frame.length);
        return all;
    }

    /** Reads up to these bytes, which come once. */
    private static byte[] readTo(byte[] last, InputStream in) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] buffer = new byte[SMALL_WINDOW];
        byte[] tail = new byte[0];
        while (!Arrays.equals(tail, last)) {
            int count = in.read(buffer);
            if (count < 0) throw new AssertionError("it ended after " + all.size() + " bytes");
            all.write(buffer, 0, count);
            byte[] both = Requests.joined(tail, Arrays.copyOf(buffer, count));
            tail = Arrays.copyOfRange(both, Math.max(0, both.length - last.length), both.length);
        }
        return all.toByteArray();
    }

    @Test
    void what_a_client_said_before_it_closed_reaches_a_slow_engine() throws Exception {
        byte[] frame = new byte[8 + LONG_FRAME];
        frame[0] = (byte) 0x82;
        frame[1] = (byte) (0x80 | 126);
        frame[2] = (byte) (LONG_FRAME >> 8);
        frame[3] = (byte) LONG_FRAME;
        byte[] all = times(MANY_FRAMES, frame);
        try (LateReader engine = new LateReader(head -> agreed(key(head)));
                Guests guests = Guests.join(scene, "org/rt-said", engine.port());
                RawClient client = RawClient.connect(scene.port())) {
            Outcomes before = scene.outcomes();
            client.send(asking("org/rt-said")).awaitText("\r\n\r\n", SOON);
            Thread sending = Thread.ofVirtual().start(() -> sendAndClose(client, all));
            client.waits(UNTIL_ALL_IS_FULL);

            byte[] read = engine.read().get(20, TimeUnit.SECONDS);

            sending.join();
            assertThat(read.length).isEqualTo(all.length + CLOSE_BYTES);
            assertThat(read).startsWith(all);
            guests.awaitIdle();
            Await.value(
                    "outcomes",
                    SOON,
                    () -> scene.outcomes().since(before).counts(),
                    Map.of("client_abort", 1L)::equals);
        }
    }

    private static void sendAndClose(RawClient client, byte[] bytes) {
        try (client) {
            client.send(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String key(String head) {
        String name = "sec-websocket-key: ";
        int at = head.toLowerCase(Locale.ROOT).indexOf(name) + name.length();
        return head.substring(at, head.indexOf('\r', at));
    }

    private static String agreed(String key) {
        byte[] digest =
                sha1().digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.US_ASCII));
        return "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
                + Base64.getEncoder().encodeToString(digest) + "\r\n\r\n";
    }

    private static MessageDigest sha1() {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-1", e);
        }
    }

    @Test
    void an_engine_that_dies_is_told_by_a_close() throws Exception {
        try (Fleet fleet = scene.fleet(1);
                RawClient client = RawClient.connect(scene.port())) {
            Outcomes before = scene.outcomes();
            fleet.plan(Plan.start().send(AGREED + "\r\n" + HI).waits(100).reset());

            client.send(asking("org/m-7b"));

            Received received = client.await("a close", SOON, all -> all.text().endsWith("\u0088\u0002\u0003\u00f3"));
            assertThat(received.text()).startsWith("HTTP/1.1 101").contains("\r\n\r\n" + HI);
            client.send(new byte[] {(byte) 0x88, (byte) 0x82, 0, 0, 0, 0, 3, (byte) 0xf3});
            assertThat(client.awaitEnd(SOON).ending()).isEqualTo(Ending.FIN);
            fleet.awaitIdle();
            Await.value(
                    "outcomes",
                    SOON,
                    () -> scene.outcomes().since(before).counts(),
                    Map.of("replica_error", 1L)::equals);
        }
    }

    @Test
    void a_client_that_leaves_reaches_the_engine() throws Exception {
        try (WebSocketEngine engine = WebSocketEngine.start(VERTX);
                Guests guests = Guests.join(scene, "org/rt-left", engine.port())) {
            Outcomes before = scene.outcomes();
            RawClient closing = RawClient.connect(scene.port()).send(asking("org/rt-left"));
            RawClient resetting = RawClient.connect(scene.port()).send(asking("org/rt-left"));
            Await.until("both are in", SOON, () -> engine.open() == 2);
            assertThat(guests.inflight()).isEqualTo(2);

            closing.close();
            resetting.reset();

            Await.until("told", AT_ONCE, () -> engine.closes().equals(List.of((short) 1001, (short) 1001)));
            guests.awaitIdle();
            Await.value(
                    "outcomes",
                    SOON,
                    () -> scene.outcomes().since(before).counts(),
                    Map.of("client_abort", 2L)::equals);
        }
    }

    @Test
    void keys_stay_with_the_router_and_the_rest_is_agreed_end_to_end() throws Exception {
        try (Fleet fleet = scene.fleet(1);
                RawClient client = RawClient.connect(scene.port())) {
            fleet.plan(Plan.start()
                    .send(AGREED + "Sec-WebSocket-Protocol: realtime\r\n\r\n")
                    .hold());

            client.send(asking(
                    "alias-m&lang=%2fde",
                    "Sec-WebSocket-Protocol: realtime, openai-insecure-api-key.sk-1",
                    "Sec-WebSocket-Protocol: OpenAI-insecure-api-key.sk-2, v1",
                    "Sec-WebSocket-Extensions: permessage-deflate",
                    "Authorization: Bearer sk-3"));

            Response agreed = client.await("agreed", SOON, all -> all.text().contains("\r\n\r\n"))
                    .responses()
                    .getFirst();
            assertThat(agreed.status()).isEqualTo(101);
            assertThat(agreed.header("Sec-WebSocket-Protocol")).isEqualTo("realtime");
            assertThat(agreed.header("Sec-WebSocket-Accept")).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
            assertThat(agreed.header("Upgrade")).isEqualTo("websocket");
            assertThat(agreed.header("X-Penstock-Replica")).isEqualTo(fleet.nameOf(1));
            assertThat(agreed.header("X-Request-Id")).isNotNull();
            SeenRequest seen = fleet.only();
            assertThat(seen.target()).isEqualTo("/v1/realtime?model=org%2Fm-7b&lang=%2fde");
            assertThat(seen.values("Sec-WebSocket-Protocol")).containsExactly("realtime, v1");
            assertThat(seen.values("Sec-WebSocket-Extensions")).containsExactly("permessage-deflate");
            assertThat(String.join("\n", seen.headers())).doesNotContain("sk-");
            client.close();
            fleet.awaitIdle();
        }
    }

    @Test
    void a_replica_that_can_not_be_reached_is_passed_over() throws Exception {
        try (Fleet fleet = scene.fleet("org/rt-refused", 2)) {
            fleet.u(1).refuse();
            fleet.u(2).plan(Plan.start().send(AGREED + "\r\n" + HI).hold());

            for (int i = 0; i < 4; i++) agrees(fleet);

            fleet.awaitIdle();
            fleet.u(1).listen();
        }
    }

    @Test
    void a_replica_that_is_full_is_passed_over() throws Exception {
        try (Fleet fleet = scene.fleet("org/rt-full", 2)) {
            Plan full = Plan.json(503, "{\"error\":{\"message\":\"full\"}}");
            Plan agreed = Plan.start().send(AGREED + "\r\n" + HI).hold();
            fleet.script(seen -> seen.values("x-request-id").getFirst().endsWith("-a1") ? full : agreed);

            agrees(fleet);

            assertThat(fleet.count()).isEqualTo(2);
            fleet.awaitIdle();
        }
    }

    private void agrees(Fleet fleet) throws Exception {
        try (RawClient client = RawClient.connect(scene.port()).send(asking(fleet.model()))) {
            assertThat(client.awaitText(HI, SOON).statuses().getFirst()).isEqualTo(101);
        }
    }

    @Test
    void what_is_no_session_has_a_plain_answer() throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            fleet.plan(Plan.json(403, "{\"detail\":\"no\"}"));

            assertRefused(404, "model_not_found", asking("nobody"));
            assertRefused(400, "'model' must be in the query", Requests.head("GET /v1/realtime", ASKING));
            assertRefused(426, "WebSocket", Requests.head("GET /v1/realtime?model=org/m-7b"));
            assertRefused(426, "WebSocket", Requests.post("/v1/realtime?model=org/m-7b", new byte[2]));
            assertRefused(403, "\"no\"", asking("org/m-7b"));
            fleet.awaitIdle();
        }
        try (Fleet fleet = scene.fleet(1)) {
            fleet.u(1).refuse();
            assertRefused(503, "error", asking("org/m-7b"));
            fleet.awaitIdle();
        }
    }

    @Test
    void a_router_that_stops_says_so() throws Exception {
        try (WebSocketEngine engine = WebSocketEngine.start(VERTX);
                Guests guests = Guests.join(scene, "org/rt-stop", engine.port())) {
            RouterScene stopping = RouterScene.start(infra, "stopping", RouterScene.USUAL);
            guests.awaitKnown(stopping);
            WebSocket socket = connect(stopping.port(), "org/rt-stop");

            stopping.close();

            Await.until("closed", SOON, socket::isClosed);
            assertThat(socket.closeStatusCode()).isEqualTo((short) 1001);
            Await.until("closed at the engine", SOON, () -> engine.closes().equals(List.of((short) 1001)));
        }
    }

    private static long still(WebSocketEngine engine) {
        long[] seen = {-1, 0};
        Await.until("the engine waits", SOON, () -> {
            long now = engine.flooded();
            seen[1] = now == seen[0] ? seen[1] + 1 : 0;
            seen[0] = now;
            return now > 0 && seen[1] >= 50;
        });
        return seen[0];
    }

    private void assertRefused(int status, String message, byte[] request) throws Exception {
        Response answer = RawClient.exchange(scene.port(), request, SOON).answer();
        assertThat(answer.status()).as(answer.rawText()).isEqualTo(status);
        assertThat(answer.bodyText()).contains("\"error\"").contains(message);
        if (status == 426) assertThat(answer.header("Upgrade")).isEqualTo("websocket");
    }

    private static byte[] asking(String model, String... headerLines) {
        String[] lines = new String[ASKING.length + headerLines.length];
        System.arraycopy(ASKING, 0, lines, 0, ASKING.length);
        System.arraycopy(headerLines, 0, lines, ASKING.length, headerLines.length);
        return Requests.head("GET /v1/realtime?model=" + model, lines);
    }

    private WebSocket connect(String model) throws Exception {
        return connect(scene.port(), model);
    }

    private static WebSocket connect(int port, String model) throws Exception {
        return await(CLIENT.connect(options(port, model)));
    }

    private static WebSocketConnectOptions options(int port, String model) {
        return new WebSocketConnectOptions().setHost("127.0.0.1").setPort(port).setURI("/v1/realtime?model=" + model);
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
