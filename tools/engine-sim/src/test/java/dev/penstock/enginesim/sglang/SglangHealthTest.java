package dev.penstock.enginesim.sglang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.enginesim.engine.StepLoop;
import dev.penstock.enginesim.step.Profile;
import dev.penstock.enginesim.step.StepObserver;
import dev.penstock.enginesim.step.StepSimulator;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With polls of 20 ms instead of a second. */
class SglangHealthTest {
    private static final long POLL_MILLIS = 20;

    private final Vertx vertx = Vertx.vertx();
    private final StepLoop loop = new StepLoop(
            vertx, new StepSimulator(Profile.FAST, System::nanoTime, new SplittableRandom(1), StepObserver.NONE));
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        SglangHealth health = new SglangHealth(vertx, loop, POLL_MILLIS, 5);
        server = vertx.createHttpServer()
                .requestHandler(health::handle)
                .listen(0, "127.0.0.1")
                .await(5, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() throws Exception {
        vertx.close().await(5, TimeUnit.SECONDS);
    }

    private int status() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.actualPort() + "/"))
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }

    @Test
    void an_answer_takes_a_poll_even_when_all_is_well() throws Exception {
        long start = System.nanoTime();

        assertThat(status()).isEqualTo(200);

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(POLL_MILLIS * 1_000_000);
    }

    @Test
    void a_scheduler_that_puts_out_nothing_is_unhealthy_after_the_last_poll_and_its_probe_is_gone() throws Exception {
        loop.pause();
        long start = System.nanoTime();

        assertThat(status()).isEqualTo(503);

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(5 * POLL_MILLIS * 1_000_000);
        assertThat(loop.running() + loop.waiting()).isZero();
    }
}
