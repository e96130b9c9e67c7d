package dev.penstock.router.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.model.RelayPolicy;
import dev.penstock.router.api.ApiError;
import dev.penstock.router.api.Endpoint;
import dev.penstock.router.auth.Tenant;
import dev.penstock.testkit.Await;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client that has not read what it was sent gets the last bytes too, if it reads them within a minute. */
@SuppressWarnings("NullAway.Init") // set before each test
class LastBytesTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long BEGUN_NANOS = 5 * SECOND_NANOS;
    private static final Buffer MUCH = Buffer.buffer(new byte[64 << 10]);

    private final Vertx vertx = Vertx.vertx();
    private final Watch watch = new Watch();
    private final Socket client = new Socket();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicReference<ToClient> asking = new AtomicReference<>();
    private Context loop;

    @BeforeEach
    void ask() throws Exception {
        HttpServer server = vertx.createHttpServer();
        server.requestHandler(this::asked);
        await(server.listen(0, "127.0.0.1"));
        client.setSoTimeout((int) SOON.toMillis());
        client.setReceiveBufferSize(4 << 10);
        client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.actualPort()));
        client.getOutputStream().write("GET / HTTP/1.1\r\nhost: gw\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        Await.until("asked", SOON, () -> asking.get() != null);
    }

    private void asked(HttpServerRequest request) {
        loop = vertx.getOrCreateContext();
        request.connection().closeHandler(gone -> closed.set(true));
        Asked asked =
                new Asked(request, 1, "1", Endpoint.CHAT, "/", "m", true, 1, RelayPolicy.DEFAULT, Tenant.DEFAULT, null);
        asking.set(new ToClient(asked, watch, 0));
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        await(vertx.close());
    }

    @Test
    void a_client_that_reads_nothing_is_cut_off_after_60_seconds() throws Exception {
        answers(toClient -> toClient.end(Buffer.buffer("the end"), null));

        cut_off_after_60_seconds();
    }

    @Test
    void an_error_in_a_stream_is_not_kept_for_longer_either() throws Exception {
        answers(toClient -> toClient.fail(ApiError.streamFailed()));

        cut_off_after_60_seconds();
    }

    private void cut_off_after_60_seconds() throws Exception {
        assertThat(watched()).isEqualTo(1);
        look(BEGUN_NANOS);
        look(BEGUN_NANOS + 60 * SECOND_NANOS - 1);
        assertThat(watched()).isEqualTo(1);
        assertThat(closed).isFalse();

        look(BEGUN_NANOS + 60 * SECOND_NANOS);

        assertThat(watched()).isZero();
        Await.until("closed", SOON, closed::get);
    }

    @Test
    void a_client_that_reads_on_in_time_has_them_and_keeps_its_connection() throws Exception {
        answers(toClient -> toClient.end(Buffer.buffer("the end"), null));
        look(BEGUN_NANOS);
        look(BEGUN_NANOS + 59 * SECOND_NANOS);

        assertThat(readsToTheEnd()).endsWith("7\r\nthe end\r\n0\r\n\r\n");

        Await.until("nothing is waited for", SOON, () -> watched() == 0);
        look(BEGUN_NANOS + 3_600 * SECOND_NANOS);
        assertThat(closed).isFalse();
    }

    /** As much as is taken, and then its end. */
    private void answers(Consumer<ToClient> end) throws Exception {
        onLoop(() -> {
            ToClient toClient = asking.get();
            MultiMap headers = MultiMap.caseInsensitiveMultiMap();
            toClient.head(200, headers, true, "replica", "decision");
            while (toClient.write(MUCH)) {
                // until nothing more is taken
            }
            end.accept(toClient);
            return true;
        });
    }

    private void look(long nowNanos) throws Exception {
        onLoop(() -> {
            watch.look(nowNanos);
            return true;
        });
    }

    private int watched() {
        return onLoop(watch::count);
    }

    private String readsToTheEnd() throws IOException {
        StringBuilder tail = new StringBuilder();
        byte[] buffer = new byte[64 << 10];
        while (tail.indexOf("\r\n0\r\n\r\n") < 0) {
            int count = client.getInputStream().read(buffer);
            if (count < 0) break;
            tail.append(new String(buffer, 0, count, StandardCharsets.ISO_8859_1));
            tail.delete(0, Math.max(0, tail.length() - 100));
        }
        return tail.toString();
    }

    private <T> T onLoop(Callable<T> what) {
        Future<T> done = Future.future(promise -> loop.runOnContext(turn -> {
            try {
                promise.complete(what.call());
            } catch (Exception e) {
                promise.fail(e);
            }
        }));
        return await(done);
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
