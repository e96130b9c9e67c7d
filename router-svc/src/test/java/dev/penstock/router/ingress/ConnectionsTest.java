package dev.penstock.router.ingress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.router.relay.Watch;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.RawHttp.Ending;
import dev.penstock.testkit.raw.RawClient;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections of a listener, looked at with the times that a test says. */
@SuppressWarnings("NullAway.Init") // set before each test
class ConnectionsTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final long BEGUN_SECONDS = 1_000;

    private final Vertx vertx = Vertx.vertx();
    private final Watch watch = new Watch();
    private final AtomicReference<ConnectionBase> opened = new AtomicReference<>();
    private Connections connections;
    private Context loop;
    private RawClient client;
    private @Nullable Running running;

    /** A request that has no answer yet. */
    private static final class Running extends Watch.Member {
        private final HttpServerRequest request;

        Running(HttpServerRequest request) {
            this.request = request;
        }

        @Override
        protected void look(long nowNanos) {}

        @Override
        protected HttpConnection connection() {
            return request.connection();
        }
    }

    @BeforeEach
    void connect() throws Exception {
        loop = vertx.getOrCreateContext();
        connections = new Connections(watch, nanos(0));
        // With it a connection is told of with its first request only.
        HttpServer server = vertx.createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(false));
        server.connectionHandler(connection -> {
            connections.opened(connection);
            opened.set((ConnectionBase) connection);
        });
        server.requestHandler(this::asked);
        await(Future.future(promise ->
                loop.runOnContext(turn -> server.listen(0, "127.0.0.1").onComplete(promise))));
        client = RawClient.connect(server.actualPort());
        Await.until("open", SOON, () -> opened.get() != null);
    }

    private void asked(HttpServerRequest request) {
        connections.asked(request.connection());
        if (request.path().equals("/at-once")) request.response().end();
        else {
            running = new Running(request);
            watch.join(running);
            request.response().setChunked(true).write("begun");
        }
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        await(vertx.close());
    }

    @Test
    void one_that_asks_nothing_for_15_seconds_is_closed() {
        look(15);
        assertOpen();

        look(16);

        assertThat(client.awaitEnd(SOON).ending()).isEqualTo(Ending.FIN);
    }

    @Test
    void one_that_is_idle_for_720_seconds_is_closed() throws Exception {
        look(10);
        asks("/at-once");
        look(730);
        assertOpen();

        look(731);

        assertThat(client.awaitEnd(SOON).ending()).isEqualTo(Ending.FIN);
    }

    @Test
    void one_that_is_busy_is_never_closed_and_idle_from_its_requests_end_on() throws Exception {
        client.send("GET /slow HTTP/1.1\r\nhost: gw\r\n\r\n").awaitText("begun", SOON);
        look(721);
        look(10_000);
        assertOpen();

        ends();
        look(10_001);
        look(10_721);
        assertOpen();

        look(10_722);

        assertThat(client.awaitEnd(SOON).ending()).isEqualTo(Ending.FIN);
    }

    private void asks(String path) throws Exception {
        int before = client.received().statuses().size();
        client.send("GET " + path + " HTTP/1.1\r\nhost: gw\r\n\r\n").awaitAnswers(before + 1, SOON);
    }

    private void ends() {
        onLoop(() -> {
            Running ended = running;
            if (ended == null) throw new IllegalStateException("nothing runs");
            watch.leave(ended);
            ended.request.response().end();
        });
    }

    /** @param seconds after the listener was opened */
    private void look(long seconds) {
        onLoop(() -> connections.look(nanos(seconds)));
    }

    private void assertOpen() {
        assertThat(opened.get().channel().isOpen()).isTrue();
    }

    private static long nanos(long seconds) {
        return (BEGUN_SECONDS + seconds) * 1_000_000_000L;
    }

    private void onLoop(Runnable what) {
        await(Future.future(promise -> loop.runOnContext(turn -> {
            try {
                what.run();
                promise.complete();
            } catch (RuntimeException e) {
                promise.fail(e);
            }
        })));
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
