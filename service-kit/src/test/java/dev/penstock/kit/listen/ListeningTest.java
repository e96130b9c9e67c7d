package dev.penstock.kit.listen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.RawHttp.Ending;
import dev.penstock.testkit.raw.RawClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.net.NetServer;
import io.vertx.core.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listeners of a Vert.x with either transport. */
@SuppressWarnings("NullAway.Init") // set by each test
class ListeningTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final long FIRST_MILLIS = 200;
    /** For who is to be in time, on a busy machine too. */
    private static final long LONG_FIRST_MILLIS = 2_000;

    private Vertx vertx;

    @AfterEach
    void close() throws Exception {
        await(vertx.close());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void of_a_first_requests_upgrades_only_those_to_http_2_are_taken_out(boolean best) throws Exception {
        int port = http(best).actualPort();

        String request =
                "GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: one\r\nUpgrade: H2C\r\nUpgrade: two\r\n";
        try (RawClient client = RawClient.connect(port)) {
            client.send(request + "\r\n").awaitAnswers(1, SOON);
            client.send(request + "\r\n");

            assertThat(client.awaitAnswers(2, SOON).responses())
                    .extracting(answer -> answer.status() + " " + answer.bodyText())
                    .containsExactly("200 [one, two]", "200 [one, H2C, two]");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void several_requests_in_one_piece_are_all_answered(boolean best) throws Exception {
        int port = http(best).actualPort();

        try (RawClient client = RawClient.connect(port)) {
            client.send("GET / HTTP/1.1\r\n\r\n".repeat(3) + "GET / HTTP/1.1\r\nUpgrade:h2c\r\n\r\n");

            assertThat(client.awaitAnswers(4, SOON).statuses()).containsExactly(200, 200, 200, 200);
        }
    }

    /** The shortest head there is with this field. */
    @Test
    void a_head_of_29_bytes_is_seen_through() throws Exception {
        int port = http(true).actualPort();

        assertThat(RawClient.exchange(
                                port, "A / HTTP/1.1\r\nUpgrade:h2c\r\n\r\n".getBytes(StandardCharsets.US_ASCII), SOON)
                        .statuses())
                .containsExactly(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "P", "PRI * HT", "GET / HTTP/1.1\r\nHost: a\r\n"})
    void who_does_not_ask_in_time_is_closed(String begun) throws Exception {
        vertx = vertx(Listening.over(Transport.NIO, "asked for", FIRST_MILLIS));
        int port = http().actualPort();

        try (RawClient client = RawClient.connect(port)) {
            assertThat(client.send(begun).awaitEnd(SOON).ending()).isEqualTo(Ending.FIN);
        }
    }

    @Test
    void who_has_asked_in_time_may_take_its_time_from_then_on() throws Exception {
        vertx = vertx(Listening.over(Transport.NIO, "asked for", LONG_FIRST_MILLIS));
        int port = http().actualPort();

        try (RawClient client = RawClient.connect(port)) {
            client.send("GET / HTTP/1.1\r\n\r\n").awaitAnswers(1, SOON);
            client.waits(Duration.ofMillis(LONG_FIRST_MILLIS + 500)).send("GET / HTTP/1.1\r\n\r\n");

            assertThat(client.awaitAnswers(2, SOON).statuses()).containsExactly(200, 200);
        }
    }

    @Test
    void what_is_not_http_may_be_silent() throws Exception {
        vertx = vertx(Listening.over(Transport.NIO, "asked for", FIRST_MILLIS));
        NetServer echo = echo();

        try (RawClient client = RawClient.connect(echo.actualPort())) {
            client.waits(Duration.ofMillis(3 * FIRST_MILLIS)).send("hi").awaitText("hi", SOON);
        }
    }

    @Test
    void what_is_not_http_passes_as_it_comes() throws Exception {
        vertx = vertx(true);
        NetServer echo = echo();

        String sent = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n and more";
        try (RawClient client = RawClient.connect(echo.actualPort())) {
            assertThat(client.send(sent).awaitText(" and more", SOON).text()).isEqualTo(sent);
        }
    }

    private NetServer echo() throws Exception {
        return await(vertx.createNetServer()
                .connectHandler(socket -> socket.handler(socket::write))
                .listen(0, "127.0.0.1"));
    }

    private HttpServer http(boolean best) throws Exception {
        vertx = vertx(best);
        return http();
    }

    private HttpServer http() throws Exception {
        return await(vertx.createHttpServer()
                .requestHandler(request -> request.response()
                        .end(request.headers().getAll("upgrade").toString()))
                .listen(0, "127.0.0.1"));
    }

    private static Vertx vertx(boolean best) {
        return vertx(best ? Listening.best() : Listening.over(Transport.NIO, "asked for", 15_000));
    }

    private static Vertx vertx(Transport transport) {
        return Vertx.builder().withTransport(transport).build();
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
}
