package dev.penstock.health.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.health.FleetHealth;
import dev.penstock.core.health.HealthRules;
import dev.penstock.core.health.ProbeResult;
import dev.penstock.core.health.ProbeResult.Kind;
import dev.penstock.core.health.ReplicaHealth;
import dev.penstock.model.DurationSketch;
import dev.penstock.model.Header;
import dev.penstock.model.Outcomes;
import dev.penstock.testkit.FreePorts;
import dev.penstock.testkit.record.ReplicaBuilder;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EngineProbeTest {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final String OK = "{\"choices\":[{\"text\":\"a\",\"finish_reason\":\"length\"}]}";

    private final Vertx vertx = Vertx.vertx();
    private final EngineProbe probe = new EngineProbe(vertx, System::nanoTime);
    private final FleetHealth fleet =
            new FleetHealth(HealthRules.DEFAULT, new Random(1), change -> {}, System.nanoTime());
    private final List<String> seen = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() throws Exception {
        join(probe.close());
        join(vertx.close());
    }

    @Test
    void one_token_of_the_first_model_is_asked_for() throws Exception {
        ReplicaHealth health = engine(request -> request.body().onSuccess(body -> {
            seen.add(
                    request.method() + " " + request.path() + " " + request.getHeader("x-penstock-probe") + " " + body);
            request.response().end(OK);
        }));

        assertThat(join(probe.probe(health, LIMIT)).kind()).isEqualTo(Kind.PASSED);
        assertThat(seen)
                .containsExactly("POST /v1/completions 1 {\"model\":\"sim/llama-3-8b\",\"prompt\":\"ping\","
                        + "\"max_tokens\":1,\"temperature\":0}");
    }

    @Test
    void the_way_that_works_is_remembered() throws Exception {
        ReplicaHealth health = engine(request -> {
            seen.add(request.path());
            boolean known = request.path().equals("/v1/embeddings");
            request.response().setStatusCode(known ? 200 : 404).end(known ? "{\"data\":[{}]}" : "{}");
        });

        assertThat(join(probe.probe(health, LIMIT)).kind()).isEqualTo(Kind.PASSED);
        assertThat(join(probe.probe(health, LIMIT)).kind()).isEqualTo(Kind.PASSED);
        assertThat(seen).containsExactly("/v1/completions", "/v1/chat/completions", "/v1/embeddings", "/v1/embeddings");
    }

    @Test
    void an_engine_that_knows_no_way_is_neither_well_nor_sick() throws Exception {
        ReplicaHealth health = engine(request -> {
            seen.add(request.path());
            request.response().setStatusCode(400).end();
        });

        assertThat(join(probe.probe(health, LIMIT)).kind()).isEqualTo(Kind.BUSY);
        assertThat(seen).hasSize(3);
    }

    @Test
    void late_without_movement_is_a_failure() throws Exception {
        ReplicaHealth health = engine(request -> {});

        ProbeResult result = join(probe.probe(health, SHORT));

        assertThat(result.kind()).isEqualTo(Kind.FAILED);
        assertThat(result.detail()).isEqualTo("late, and nothing moves");
    }

    @Test
    void late_while_bytes_flow_is_busy() throws Exception {
        ReplicaHealth health = engine(request -> {});

        Future<ProbeResult> running = onContext(() -> {
            Future<ProbeResult> started = probe.probe(health, SHORT);
            flow(health.replica().number());
            return started;
        });

        assertThat(join(running).kind()).isEqualTo(Kind.BUSY);
    }

    @Test
    void a_refused_connection_is_unreachable() throws Exception {
        ReplicaHealth health = replica(FreePorts.one());

        assertThat(join(probe.probe(health, LIMIT)).kind()).isEqualTo(Kind.UNREACHABLE);
    }

    @Test
    void a_connection_closed_without_an_answer_is_a_failure() throws Exception {
        ReplicaHealth health = engine(request -> request.connection().close());

        assertThat(join(probe.probe(health, LIMIT)).failed()).isTrue();
    }

    @Test
    void an_endless_body_is_a_failure() throws Exception {
        ReplicaHealth health = engine(request -> request.response().end("x".repeat(3 << 20)));

        assertThat(join(probe.probe(health, LIMIT)).detail()).isEqualTo("body over 1048576 bytes");
    }

    private void flow(int number) {
        Header header = new Header("router", 1, 1, Header.NO_EPOCH, System.nanoTime());
        Outcomes.ReplicaOutcomes flowing = new Outcomes.ReplicaOutcomes(
                number, Map.of(), 0, new DurationSketch(), new DurationSketch(), 5, false, true);
        fleet.outcomes(new Outcomes(header, List.of(flowing)), System.nanoTime());
    }

    private ReplicaHealth engine(Handler<HttpServerRequest> handler) throws Exception {
        HttpServer server =
                join(vertx.createHttpServer().requestHandler(handler).listen(0, "127.0.0.1"));
        return replica(server.actualPort());
    }

    private ReplicaHealth replica(int port) {
        fleet.present(ReplicaBuilder.replica(1).port(port).build(), System.nanoTime());
        ReplicaHealth health = fleet.byNumber(1);
        if (health == null) throw new AssertionError("no replica");
        return health;
    }

    private <T> Future<T> onContext(Supplier<Future<T>> body) {
        return Future.future(promise -> vertx.runOnContext(run -> body.get().onComplete(promise)));
    }

    private static <T> T join(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
}
