package dev.penstock.router.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WireTest {
    private static final String HEAD = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    private static final String END = "0\r\n\r\n";
    private static final String SHORT = "data";
    /** Enough to have Netty's guess at its least, were it let. */
    private static final int SHORT_ONES = 200;

    private static final int LONG_CHARS = 1_500;

    private final Vertx vertx = Vertx.vertx();
    private final List<Integer> lengths = new CopyOnWriteArrayList<>();
    private volatile @Nullable NetSocket toClient;

    @AfterEach
    void close() {
        vertx.close().await();
    }

    @Test
    void a_long_first_event_comes_whole_on_a_connection_that_had_many_short_ones() throws TimeoutException {
        int port = engine();
        HttpClientAgent client = vertx.httpClientBuilder()
                .with(new PoolOptions().setHttp1MaxSize(1))
                .withConnectHandler(Wire::readWhole)
                .build();
        ask(client, port);
        ask(client, port);

        assertThat(lengths).hasSize(SHORT_ONES + 1).last().isEqualTo(LONG_CHARS);
    }

    /** Answers with a short chunk, and the second time with a long one; what else is written is the client's to say. */
    private int engine() {
        NetServer engine = vertx.createNetServer();
        engine.connectHandler(socket -> {
            toClient = socket;
            socket.handler(request -> {
                if (lengths.isEmpty()) socket.write(HEAD + framed(SHORT));
                else socket.write(HEAD + framed("x".repeat(LONG_CHARS)) + END);
            });
        });
        return engine.listen(0, "127.0.0.1").await().actualPort();
    }

    /** One after the other was read: none comes together with another. */
    private void read(Buffer chunk) {
        lengths.add(chunk.length());
        NetSocket socket = Objects.requireNonNull(toClient);
        if (lengths.size() < SHORT_ONES) socket.write(framed(SHORT));
        else if (lengths.size() == SHORT_ONES) socket.write(END);
    }

    private static String framed(String chunk) {
        return Integer.toHexString(chunk.length()) + "\r\n" + chunk + "\r\n";
    }

    /** On one event loop: from elsewhere, a first chunk may come before there is a handler for it. */
    private void ask(HttpClientAgent client, int port) throws TimeoutException {
        Promise<Void> answered = Promise.promise();
        vertx.runOnContext(begin -> client.request(HttpMethod.GET, port, "127.0.0.1", "/")
                .compose(HttpClientRequest::send)
                .compose(response -> {
                    response.handler(this::read);
                    return response.end();
                })
                .onComplete(answered));
        answered.future().await(5, TimeUnit.SECONDS);
    }
}
