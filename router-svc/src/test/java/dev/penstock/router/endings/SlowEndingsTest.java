package dev.penstock.router.endings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.model.EngineKind;
import dev.penstock.router.cases.CaseExtension;
import dev.penstock.router.cases.CaseInfra;
import dev.penstock.router.cases.Fleet;
import dev.penstock.router.cases.Requests;
import dev.penstock.router.cases.RouterScene;
import dev.penstock.router.cases.Together;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.RawClient;
import dev.penstock.testkit.raw.Received;
import dev.penstock.testkit.raw.ScriptedReplica;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/** Endings where somebody reads slowly, or nobody knows whether an engine has stopped. */
@ExtendWith(CaseExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // set before all tests
class SlowEndingsTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final String IMPATIENT = "endings/impatient";
    private static final String PATIENT = "endings/patient";
    private static final String FILLING = "x".repeat(16 * 1024);
    /** Both sockets' buffers as Linux lets them grow, and what the router itself may hold. */
    private static final long MOST_ON_THE_WAY = 24 << 20;

    private RouterScene scene;
    private Books books;

    @BeforeAll
    void open(CaseInfra infra) {
        scene = RouterScene.start(
                infra, "slow-endings", "models:\n" + Contract.SLOW.model(IMPATIENT) + Contract.PATIENT.model(PATIENT));
        books = Books.open(scene);
    }

    @AfterAll
    void close() throws Exception {
        books.close();
        scene.close();
    }

    @Test
    void a_client_that_stops_reading_a_stream_is_cut_off_and_its_engine_was_paused() throws Exception {
        String chunk = Integer.toHexString(FILLING.length() + 8) + "\r\ndata: " + FILLING + "\n\n\r\n";
        stops_reading(Rows.words(Rows.CONTENT), chunk);
    }

    @Test
    void a_client_that_stops_reading_a_long_error_is_no_stall_of_the_engine() throws Exception {
        stops_reading("HTTP/1.1 500 X\r\nContent-Type: text/plain\r\nContent-Length: 1000000000\r\n\r\n", FILLING);
    }

    private void stops_reading(String words, String filling) throws Exception {
        try (Stage stage = new Stage(scene, IMPATIENT);
                SlowClient client = new SlowClient(scene.port())) {
            stage.stubborn(StubbornEngine.flooding(words, filling));
            List<Integer> numbers = stage.fleet().numbers();

            client.send(Requests.chat(Requests.body(IMPATIENT)));

            assertThat(paused(stage.engine())).isLessThan(MOST_ON_THE_WAY);
            Await.value("outcomes", SOON, () -> books.outcomes(numbers), Map.of("client_abort", 1L)::equals);
            Await.value("nothing in flight", SOON, () -> books.inflight(numbers), count -> count == 0);
            Await.value("nothing runs", SOON, scene::running, count -> count == 0);
            Await.until("the client was cut off", SOON, client::ended);
            Await.until("the engine was told", SOON, () -> stage.engine().left());
        }
    }

    /** What an engine could send before nobody took any more for 200 ms. */
    private static long paused(StubbornEngine engine) {
        AtomicLong before = new AtomicLong();
        AtomicLong sinceNanos = new AtomicLong(System.nanoTime());
        return Await.value("the engine is paused", SOON, engine::filled, filled -> {
            if (filled != before.getAndSet(filled)) sinceNanos.set(System.nanoTime());
            return filled > 0 && System.nanoTime() - sinceNanos.get() > 200_000_000;
        });
    }

    @Test
    void a_stream_that_is_not_read_leaves_the_others_of_its_connection_alone() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Plan waits = Rows.BEGUN.until(end).event(Rows.FINISH).event(Rows.DONE).end();
        Vertx vertx = Vertx.vertx();
        try (Stage stage = new Stage(scene, IMPATIENT);
                Fleet other = scene.fleet(PATIENT, 1).plan(waits)) {
            String chunk = Integer.toHexString(FILLING.length() + 8) + "\r\ndata: " + FILLING + "\n\n\r\n";
            stage.stubborn(StubbornEngine.flooding(Rows.words(Rows.CONTENT), chunk));
            HttpClient client = vertx.createHttpClient(
                    new HttpClientOptions()
                            .setProtocolVersion(HttpVersion.HTTP_2)
                            .setHttp2ClearTextUpgrade(false),
                    new PoolOptions().setHttp2MaxSize(1));

            AtomicReference<Throwable> unreadEnd = new AtomicReference<>();
            HttpClientResponse unread = await(ask(client, IMPATIENT).onSuccess(answer -> {
                answer.pause();
                answer.exceptionHandler(unreadEnd::set);
            }));
            AtomicReference<Buffer> readBody = new AtomicReference<>();
            await(ask(client, PATIENT).onSuccess(answer -> answer.body().onSuccess(readBody::set)));
            Await.value(
                    "outcomes",
                    SOON,
                    () -> books.outcomes(stage.fleet().numbers()),
                    Map.of("client_abort", 1L)::equals);
            end.countDown();

            assertThat(unread.statusCode()).isEqualTo(200);
            Await.until("the other stream's end", SOON, () -> readBody.get() != null);
            assertThat(readBody.get().toString()).endsWith("data: [DONE]\n\n");
            Await.until("the stream is reset", SOON, () -> unreadEnd.get() != null);
            Await.value("nothing runs", SOON, scene::running, count -> count == 0);
        } finally {
            await(vertx.close());
        }
    }

    @Test
    void who_leaves_with_the_rest_of_an_answer_unread_breaks_nobody_elses_request() throws Exception {
        Random random = new Random(7);
        int[] chunks = random.ints(160, 100, 400).toArray();
        try (Fleet fleet = scene.fleet(PATIENT, 2)) {
            fleet.script(request -> {
                List<String> wanted = request.values("x-chunks");
                return wanted.isEmpty() ? Rows.GOOD : longAnswer(Integer.parseInt(wanted.getFirst()));
            });

            List<String> broken = Together.run(chunks.length, 12, i -> () -> {
                if (i % 2 == 0) return broken(fleet);
                try (SlowClient slow = new SlowClient(scene.port())) {
                    slow.send(Requests.chat(Requests.body(PATIENT), "x-chunks: " + chunks[i]));
                    slow.read(random.nextInt(1, 256 << 10));
                    slow.reset();
                }
                return broken(fleet);
            });

            assertThat(broken).containsOnly("");
            Await.value("nothing in flight", SOON, () -> books.inflight(fleet.numbers()), count -> count == 0);
            Await.value("nothing runs", SOON, scene::running, count -> count == 0);
            assertThat(books.outcomes(fleet.numbers()))
                    .doesNotContainKeys("replica_error", "stalled", "incomplete_stream");
        }
    }

    @Test
    void a_slow_client_gets_all_of_an_answer_whose_engine_closes_behind_it() throws Exception {
        try (Fleet fleet = scene.fleet(PATIENT, 2)) {
            fleet.script(request -> longAnswer(
                            Integer.parseInt(request.values("x-chunks").getFirst()))
                    .fin());

            List<String> ends = Together.run(24, 8, i -> () -> {
                try (SlowClient slow = new SlowClient(scene.port())) {
                    int chunks = 4 + i * i;
                    slow.send(Requests.chat(Requests.body(PATIENT), "x-chunks: " + chunks));
                    TimeUnit.MILLISECONDS.sleep(400);
                    return slow.readToLastChunk();
                }
            });

            assertThat(ends).containsOnly("data: [DONE]\n\n\r\n0\r\n\r\n");
            Await.value("nothing runs", SOON, scene::running, count -> count == 0);
            assertThat(books.outcomes(fleet.numbers()))
                    .doesNotContainKeys("replica_error", "stalled", "incomplete_stream");
        }
    }

    private static Plan longAnswer(int chunks) {
        Plan plan = Rows.BEGUN;
        for (int i = 0; i < chunks; i++) plan = plan.event(FILLING);
        return plan.event(Rows.FINISH).event(Rows.DONE).end();
    }

    /** What came instead of a whole answer, or nothing. */
    private String broken(Fleet fleet) throws Exception {
        Received received = RawClient.exchange(scene.port(), Requests.stream(fleet), SOON);
        boolean whole = received.answer().complete() && received.bodyText().endsWith("data: [DONE]\n\n");
        return whole ? "" : received.text();
    }

    @Test
    void a_request_stays_in_flight_for_as_long_as_its_engines_page_does_not_move() throws Exception {
        try (Stage stage = new Stage(scene, PATIENT)) {
            stage.stubborn(StubbornEngine.saying(Rows.words(Rows.CONTENT)));
            List<Integer> numbers = stage.fleet().numbers();
            scene.infra().feed().freeze(numbers.getFirst());
            try (RawClient client = RawClient.connect(scene.port()).send(Requests.chat(Requests.body(PATIENT)))) {
                client.awaitText(Rows.CONTENT, SOON);
                client.waits(Duration.ofMillis(300)).reset();
                Await.value("outcomes", SOON, () -> books.outcomes(numbers), Map.of("client_abort", 1L)::equals);

                client.waits(Duration.ofMillis(1_500));
                assertThat(books.inflight(numbers))
                        .as("the page shows it running")
                        .isEqualTo(1);
                assertThat(stage.engine().left()).isTrue();

                scene.infra().feed().thaw(numbers.getFirst());
                Await.value("given back", SOON, () -> books.inflight(numbers), count -> count == 0);
            }
        }
        Await.value("nothing runs", SOON, scene::running, count -> count == 0);
    }

    @Test
    void a_replica_that_is_gone_is_not_waited_for() throws Exception {
        try (Stage stage = new Stage(scene, PATIENT)) {
            stage.stubborn(StubbornEngine.saying(Rows.words(Rows.CONTENT)));
            List<Integer> numbers = stage.fleet().numbers();
            scene.infra().feed().freeze(numbers.getFirst());
            try (RawClient client = RawClient.connect(scene.port()).send(Requests.chat(Requests.body(PATIENT)))) {
                client.awaitText(Rows.CONTENT, SOON);
                client.reset();
                Await.value("outcomes", SOON, () -> books.outcomes(numbers), Map.of("client_abort", 1L)::equals);
            }
        }

        Await.value("nothing is waited for", SOON, scene::running, count -> count == 0);
    }

    /** SGLang is told by name too; one that answers nothing would keep a connection for each client that left it. */
    @Test
    void an_engine_that_does_not_answer_an_abort_keeps_no_connection() throws Exception {
        try (ScriptedReplica engine =
                        ScriptedReplica.start(PATIENT, Plan.start().hold());
                Fleet fleet = scene.fleet(PATIENT, 0).join(EngineKind.SGLANG, engine.port());
                RawClient client = RawClient.connect(scene.port())) {
            engine.script(request ->
                    request.target().equals("/abort_request") ? Plan.start().hold() : Rows.BEGUN.hold());
            client.send(Requests.stream(fleet)).awaitText(Rows.CONTENT, SOON);

            client.close();

            Await.until("told by name", SOON, () -> engine.log().requests().stream()
                    .anyMatch(request -> request.target().equals("/abort_request")));
            Await.value("connections are closed", SOON, engine::openConnections, count -> count == 0);
        }
    }

    @Test
    void what_runs_when_the_grace_is_over_is_told_so(CaseInfra infra) throws Exception {
        RouterScene stopping = RouterScene.start(infra, "stopping", "models:\n" + Contract.PATIENT.model(PATIENT));
        try (Fleet fleet = scene.fleet(PATIENT, 1)) {
            Await.until("a candidate of both", SOON, () -> stopping.view()
                    .path("replicas")
                    .valueStream()
                    .anyMatch(replica ->
                            replica.path("number").asInt() == fleet.numbers().getFirst()
                                    && replica.path("candidate").asBoolean()));
            fleet.script(request -> request.has("x-silent") ? Plan.start().hold() : Rows.BEGUN.hold());
            List<RawClient> begun = new ArrayList<>();
            List<RawClient> silent = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                begun.add(RawClient.connect(stopping.port()).send(Requests.stream(fleet)));
                silent.add(RawClient.connect(stopping.port()).send(Requests.stream(fleet, "x-silent: 1")));
            }
            RawClient uploading = RawClient.connect(stopping.port()).send(Asking.HALF.request(PATIENT));
            for (RawClient each : begun) each.awaitText(Rows.CONTENT, SOON);
            Await.until("all at the engine", SOON, () -> fleet.count() == 20);

            stopping.close();

            for (RawClient each : begun) new Sight.ErrorEvent().check(each.awaitEnd(SOON));
            for (RawClient each : silent) {
                Received received = each.awaitEnd(SOON);
                assertThat(received.answer().status()).as(received.text()).isEqualTo(503);
                assertThat(received.answer().complete()).isTrue();
            }
            uploading.awaitEnd(SOON);
            Await.until("told to the engine", SOON, () -> fleet.u(1).openConnections() == 0);
        }
    }

    private Future<HttpClientResponse> ask(HttpClient client, String model) {
        return client.request(HttpMethod.POST, scene.port(), "127.0.0.1", Requests.CHAT)
                .compose(request -> request.putHeader("content-type", "application/json")
                        .send(Buffer.buffer(Requests.body(model))));
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
}
