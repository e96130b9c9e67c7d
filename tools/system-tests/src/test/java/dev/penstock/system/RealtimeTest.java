package dev.penstock.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.enginesim.EngineKind;
import dev.penstock.enginesim.EngineSim;
import dev.penstock.enginesim.fault.Fault;
import dev.penstock.testkit.Await;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientWebSocket;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sessions over WebSocket, through a router to engines of both kinds. The killing comes last. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RealtimeTest {
    private static final Duration SOON = Duration.ofSeconds(15);
    private static final String APPEND = "{\"type\":\"input_audio_buffer.append\",\"audio\":\"AAEC\"}";
    private static final String COMMIT = "{\"type\":\"input_audio_buffer.commit\"}";
    private static final short ENGINE_GONE = 1011;

    @TempDir
    static Path data;

    private static final Vertx VERTX = Vertx.vertx();
    private static final WebSocketClient CLIENT = VERTX.createWebSocketClient();
    private static Engines engines;
    private static Suite suite;

    @BeforeAll
    static void up() throws Exception {
        engines = Engines.start(1, EngineKind.VLLM, EngineKind.SGLANG);
        suite = Suite.start(data, 1, engines.count(), "--replicas", engines.file(data));
    }

    @AfterAll
    static void down() throws Exception {
        VERTX.close().await(10, TimeUnit.SECONDS);
        Suite.close(suite, engines);
    }

    /** A client's side of a session, and what it hears. */
    private record Session(WebSocket socket, BlockingQueue<String> heard) {
        static Session open(EngineKind kind) throws Exception {
            BlockingQueue<String> heard = new LinkedBlockingQueue<>();
            ClientWebSocket socket = CLIENT.webSocket();
            // Before it connects: the first event may follow the upgrade at once.
            socket.textMessageHandler(heard::add);
            WebSocket open = socket.connect(new WebSocketConnectOptions()
                            .setHost("127.0.0.1")
                            .setPort(suite.routerPorts().getFirst())
                            .setURI("/v1/realtime?model=" + Engines.model(kind)))
                    .await(10, TimeUnit.SECONDS);
            return new Session(open, heard);
        }

        void say(String event) throws Exception {
            socket.writeTextMessage(event).await(10, TimeUnit.SECONDS);
        }

        /** All events up to one of this type, with it. */
        List<String> through(String type) throws InterruptedException {
            List<String> all = new ArrayList<>();
            do {
                String event = heard.poll(SOON.toSeconds(), TimeUnit.SECONDS);
                assertThat(event).as("before " + type + ": " + all).isNotNull();
                all.add(event);
            } while (!type(all.getLast()).equals(type));
            return all;
        }

        private static String type(String event) {
            return new JsonObject(event).getString("type");
        }
    }

    @ParameterizedTest
    @Order(1)
    @EnumSource(names = {"VLLM", "SGLANG"})
    void sound_is_appended_committed_and_told_as_words(EngineKind kind) throws Exception {
        Session session = Session.open(kind);
        List<String> all = new ArrayList<>(session.through("session.created"));

        session.say(APPEND);
        session.say(COMMIT);
        List<String> told = session.through("transcription.done");
        all.addAll(told);
        session.socket().close().await(10, TimeUnit.SECONDS);

        String words = told.subList(0, told.size() - 1).stream()
                .map(event -> new JsonObject(event).getString("delta"))
                .collect(Collectors.joining());
        assertThat(new JsonObject(told.getLast()).getString("text"))
                .isNotBlank()
                .isEqualTo(words);
        String requestId = session.socket().headers().get("x-request-id");
        String replica = session.socket().headers().get("x-penstock-replica");
        Await.until("the engine's books", SOON, () -> engines.only(kind).sentBody(requestId + "-a1") != null);
        engines.assertSameAsSent(replica, requestId, String.join("", all).getBytes(StandardCharsets.UTF_8));
        assertThat(engines.only(kind).state().inflight()).isZero();
    }

    @Test
    @Order(2)
    void an_engine_that_is_killed_ends_its_session_with_1011() throws Exception {
        EngineSim engine = engines.only(EngineKind.VLLM);
        Session session = Session.open(EngineKind.VLLM);
        session.through("session.created");

        Engines.fault(engine, new Fault.Kill());

        Await.until("closed", SOON, session.socket()::isClosed);
        assertThat(session.socket().closeStatusCode()).isEqualTo(ENGINE_GONE);
        Await.until("nothing is in flight", SOON, () -> Suite.inflightGauges(
                        suite.routerPorts().getFirst())
                .stream()
                .allMatch(line -> line.matches(".* 0(\\.0)?")));
    }
}
