package dev.penstock.router;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.kit.run.ServiceContext;
import dev.penstock.kit.run.ServiceVertx;
import dev.penstock.model.Header;
import dev.penstock.model.InflightVector;
import dev.penstock.model.Sample;
import dev.penstock.model.Shards;
import dev.penstock.model.TelemetryFrame;
import dev.penstock.model.Topics;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.FreePorts;
import dev.penstock.testkit.RawHttp;
import dev.penstock.testkit.infra.RealInfra;
import dev.penstock.testkit.record.ReplicaBuilder;
import dev.penstock.wire.InflightCodec;
import dev.penstock.wire.MalformedRecordException;
import dev.penstock.wire.RosterCodec;
import dev.penstock.wire.TelemetryCodec;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A router on a real Kafka and a real Redis, in front of one small engine that lives and one that never did. */
class RouterTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String MODEL = "org/m-7b";
    private static final String STREAM = "data: {\"choices\":[{\"delta\":{\"content\":\"水路: naïve 🚰\"},"
            + "\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

    @TempDir
    static Path data;

    private static final AtomicInteger cancelled = new AtomicInteger();
    private static RealInfra infra;
    private static Vertx vertx;
    private static KafkaBus bus;
    private static RunningRouter router;
    private static int management;

    @BeforeAll
    static void start() throws Exception {
        infra = RealInfra.shared();
        vertx = ServiceVertx.create(2, new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
        int alive = await(vertx.createHttpServer()
                        .requestHandler(RouterTest::engine)
                        .listen(0, "127.0.0.1"))
                .actualPort();
        List<Integer> ports = FreePorts.take(3);
        management = ports.get(1);
        Map<String, String> settings = Map.of(
                "PENSTOCK__KAFKA__BOOTSTRAPSERVERS", infra.bootstrapServers(),
                "PENSTOCK__KAFKA__REPLICATIONFACTOR", "1",
                "PENSTOCK__REDIS__URL", infra.redisUrl(),
                "PENSTOCK__DATA__DIRECTORY", data.toString(),
                "PENSTOCK__ROUTER__NAME", "router-t",
                "PENSTOCK__ROUTER__PORT", String.valueOf(ports.get(0)),
                "PENSTOCK__ROUTER__MANAGEMENTPORT", String.valueOf(management));
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        router = (RunningRouter) await(RouterWiring.start(
                new ServiceContext(vertx, ConfigTree.load(null, settings), meters, Incarnation.fresh("router-t"))));
        KafkaConfig kafka = new KafkaConfig(infra.bootstrapServers(), (short) 1);
        Incarnation collector = Incarnation.fresh("collector");
        bus = KafkaBus.create(vertx, kafka, collector, meters);
        await(bus.publish(Topics.ROSTER, 0, "alive", roster(1, "alive", alive)));
        await(bus.publish(Topics.ROSTER, 0, "refusing", roster(2, "refusing", ports.get(2))));
        AtomicInteger sequence = new AtomicInteger();
        vertx.setPeriodic(50, timer -> {
            int next = sequence.incrementAndGet();
            for (int number = 1; number <= 2; number++) sendFrame(collector, number, next);
        });
        Await.value(
                "both replicas are candidates",
                SOON,
                RouterTest::view,
                view -> view.split("\"candidate\":true", -1).length == 3);
    }

    @AfterAll
    static void stop() throws Exception {
        await(router.shutdown(Duration.ofSeconds(1)));
        await(bus.close());
        await(vertx.close());
    }

    @Test
    void a_stream_reaches_the_client_byte_for_byte_and_says_who_made_it() throws Exception {
        HttpResponse<String> response = post("{\"model\":\"" + MODEL + "\",\"stream\":true}");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(STREAM);
        assertThat(response.headers().firstValue("x-penstock-replica")).contains("alive");
        assertThat(response.headers().firstValue("x-request-id").orElseThrow()).startsWith("router-t-");
    }

    @Test
    void a_refused_connect_costs_no_request_and_quarantines_the_replica() throws Exception {
        for (int i = 0; i < 40; i++)
            assertThat(post("{\"model\":\"" + MODEL + "\",\"stream\":true}").statusCode())
                    .isEqualTo(200);

        assertThat(view()).contains("\"quarantine\":\"shut\"");
        assertThat(get(router.port(), "/health").statusCode()).isEqualTo(200);
    }

    @Test
    void a_request_can_be_asked_why_it_went_where_it_went() throws Exception {
        HttpResponse<String> answered = post("{\"model\":\"" + MODEL + "\",\"stream\":true}");
        String id = answered.headers().firstValue("x-request-id").orElseThrow();

        HttpResponse<String> page = get(management, "/debug/decisions/" + id);

        assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
        JsonNode decision = JSON.readTree(page.body());
        assertThat(decision.path("id").asText()).isEqualTo(id);
        assertThat(decision.path("router").asText()).isEqualTo("router-t");
        JsonNode last = decision.path("attempts").get(decision.path("attempts").size() - 1);
        assertThat(last.path("decision").asText()).isEqualTo("load-balance");
        assertThat(last.path("picked").asText()).isEqualTo("alive");
        assertThat(last.path("reDecided").asText()).isEqualTo("alive");
        assertThat(last.path("agrees").asBoolean()).isTrue();
        assertThat(last.path("candidates")).hasSize(2);
        assertThat(last.path("candidates").get(0).path("freshness").asText()).isEqualTo("fresh");
        assertThat(last.path("strategy").asText()).isEqualTo("load-balance");
        assertThat(last.path("k").asInt()).isEqualTo(8);
        assertThat(last.path("epsilon").asDouble()).isEqualTo(0.5);
        assertThat(last.path("degraded").isBoolean()).isTrue();
        assertThat(last.path("candidates"))
                .allMatch(each -> each.path("biasCauses").isArray()
                        && each.path("waiting").isInt()
                        && each.path("kvUsed").isDouble()
                        && !each.path("wouldWin").asText().isEmpty());
        // The id that engines see names the attempt.
        assertThat(get(management, "/debug/decisions/" + id + "-a1").statusCode())
                .isEqualTo(200);
    }

    @Test
    void decisions_that_are_not_there_say_whom_to_ask() throws Exception {
        HttpResponse<String> foreign = get(management, "/debug/decisions/router-9-mb2k4v0q1c8");
        assertThat(foreign.statusCode()).isEqualTo(404);
        assertThat(JSON.readTree(foreign.body()).path("router").asText()).isEqualTo("router-9");
        assertThat(JSON.readTree(foreign.body()).path("error").asText()).contains("ask its management port");

        HttpResponse<String> forgotten = get(management, "/debug/decisions/router-t-mb2k4v0q1c8");
        assertThat(forgotten.statusCode()).isEqualTo(404);
        assertThat(JSON.readTree(forgotten.body()).path("error").asText()).contains("4096");

        assertThat(get(management, "/debug/decisions/nonsense").statusCode()).isEqualTo(404);
    }

    @Test
    void a_router_that_tells_its_address_is_asked_for_its_decisions() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        int peer = await(vertx.createHttpServer()
                        .requestHandler(request -> {
                            asked.add(request.uri() + " by " + request.getHeader("x-penstock-asked-by"));
                            request.response().setStatusCode(404).end("{\"error\":\"older\"}");
                        })
                        .listen(0, "127.0.0.1"))
                .actualPort();
        Incarnation router = Incarnation.fresh("router-u");
        InflightVector vector = new InflightVector(
                new Header(router.name(), router.nonce(), 1, Header.NO_EPOCH, System.nanoTime()),
                0,
                true,
                new int[0],
                new int[0],
                List.of(),
                "http://127.0.0.1:" + peer);
        await(bus.publish(Topics.INFLIGHT, 0, "router-u", InflightCodec.encode(vector)));

        HttpResponse<String> answer = Await.value(
                "router-u is known",
                SOON,
                () -> get(management, "/debug/decisions/router-u-mb2k4v0q1c8-a2"),
                each -> !asked.isEmpty());

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(JSON.readTree(answer.body()).path("error").asText()).isEqualTo("older");
        assertThat(asked).containsExactly("/debug/decisions/router-u-mb2k4v0q1c8 by router-t");
    }

    @Test
    void it_tells_other_routers_where_it_is_managed() {
        List<String> told = new CopyOnWriteArrayList<>();
        bus.subscribe(
                List.of(Topics.INFLIGHT),
                (topic, key, value, receiveNanos) -> {
                    if (key.equals("router-t") && value != null) told.add(urlOf(value));
                },
                () -> {});

        Await.until("it is told", SOON, () -> told.contains("http://127.0.0.1:" + management));
    }

    @Test
    void a_client_that_leaves_cancels_its_request_at_the_engine() throws Exception {
        String body = "{\"model\":\"" + MODEL + "\",\"hold\":true}";
        RawHttp client = RawHttp.connect(router.port());
        client.send("POST /v1/chat/completions HTTP/1.1\r\n"
                + "host: x\r\n"
                + "x-test: hold\r\n"
                + "content-type: application/json\r\n"
                + "content-length: "
                + body.length() + "\r\n\r\n" + body);
        Await.until("in flight", SOON, () -> view().contains("\"own\":1"));

        client.close();

        Await.until("cancelled at the engine", SOON, () -> cancelled.get() == 1);
        Await.until("no longer in flight", SOON, () -> !get(management, "/debug/view")
                .body()
                .contains("\"own\":1"));
    }

    @Test
    void mistakes_are_answered_in_the_openai_envelope() throws Exception {
        assertThat(post("{\"model\":\"nobody/serves\"}").statusCode()).isEqualTo(404);
        assertThat(post("{\"model\":\"nobody/serves\"}").body()).contains("\"code\":\"model_not_found\"");
        assertThat(post("{").statusCode()).isEqualTo(400);
        assertThat(get(router.port(), "/v1/chat/completions").statusCode()).isEqualTo(405);
        assertThat(get(router.port(), "/metrics").statusCode()).isEqualTo(404);
        assertThat(get(router.port(), "/v1/models").body()).contains(MODEL);
    }

    private static void engine(HttpServerRequest request) {
        if ("hold".equals(request.getHeader("x-test"))) {
            request.connection().closeHandler(closed -> cancelled.incrementAndGet());
            return;
        }
        request.response()
                .putHeader("content-type", "text/event-stream; charset=utf-8")
                .setChunked(true);
        byte[] bytes = STREAM.getBytes(StandardCharsets.UTF_8);
        // Cut inside a character: 24 is within the second one of 水路.
        request.response().write(io.vertx.core.buffer.Buffer.buffer(java.util.Arrays.copyOfRange(bytes, 0, 22)));
        request.response()
                .end(io.vertx.core.buffer.Buffer.buffer(java.util.Arrays.copyOfRange(bytes, 22, bytes.length)));
    }

    private static String urlOf(byte[] vector) {
        try {
            return String.valueOf(InflightCodec.decode(vector).managementUrl());
        } catch (MalformedRecordException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] roster(int number, String name, int port) {
        return RosterCodec.encode(ReplicaBuilder.replica(number)
                .named(name)
                .port(port)
                .serving(MODEL)
                .present());
    }

    private static void sendFrame(Incarnation collector, int number, int sequence) {
        Header header = new Header("collector", collector.nonce(), sequence, Header.NO_EPOCH, System.nanoTime());
        Sample sample = new Sample(number, 0, 0, 0, sequence, 0, 1_000, 50, 0);
        int shard = Shards.of(number);
        bus.send(
                Topics.TELEMETRY,
                shard,
                String.valueOf(shard),
                TelemetryCodec.encode(new TelemetryFrame(header, shard, true, new BitSet(), 0, List.of(sample))));
    }

    private static HttpResponse<String> post(String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + router.port() + "/v1/chat/completions"))
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static String view() {
        return get(management, "/debug/view").body().replaceAll("\\s", "");
    }

    private static HttpResponse<String> get(int port, String path) {
        try {
            return CLIENT.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
