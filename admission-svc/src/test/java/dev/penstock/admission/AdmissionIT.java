package dev.penstock.admission;

import static dev.penstock.testkit.record.ReplicaBuilder.MODEL;
import static dev.penstock.testkit.record.ReplicaBuilder.replica;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.kit.config.RedisConfig;
import dev.penstock.kit.membership.Membership;
import dev.penstock.kit.run.ServiceContext;
import dev.penstock.model.Header;
import dev.penstock.model.HealthRecord;
import dev.penstock.model.LoadTerms;
import dev.penstock.model.PolicyRecord;
import dev.penstock.model.PolicyRecord.RateShare;
import dev.penstock.model.RelayPolicy;
import dev.penstock.model.RetryOn;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.SessionNames;
import dev.penstock.model.Topics;
import dev.penstock.model.Verdict;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.infra.FreshInfra;
import dev.penstock.wire.HealthCodec;
import dev.penstock.wire.MalformedRecordException;
import dev.penstock.wire.PolicyCodec;
import dev.penstock.wire.RosterCodec;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdmissionIT {
    private static final Duration SOON = Duration.ofSeconds(15);
    /** What a change of the fleet may take until the shares have moved. */
    private static final Duration MOVED = Duration.ofSeconds(7);

    private static final String ENCODED = MODEL.replace("/", "%2F");

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Seen> seen = new CopyOnWriteArrayList<>();
    private FreshInfra infra;
    private KafkaBus bus;
    private Path file;

    private record Seen(PolicyRecord record, long nanos) {
        Map<String, Long> shares() {
            Map<String, Long> shares = new TreeMap<>();
            for (RateShare each : record.shares()) shares.put(each.router(), each.milliRps());
            return shares;
        }

        long sum() {
            return record.shares().stream().mapToLong(RateShare::milliRps).sum();
        }
    }

    @TempDir
    Path directory;

    @BeforeEach
    void start() throws Exception {
        infra = FreshInfra.start();
        file = directory.resolve("penstock.yaml");
        bus = KafkaBus.create(
                vertx,
                new KafkaConfig(infra.bootstrapServers(), (short) 1),
                Incarnation.fresh("reader"),
                new SimpleMeterRegistry());
        bus.subscribe(List.of(Topics.POLICY), (topic, key, value, nanos) -> note(value, nanos), () -> {});
    }

    @AfterEach
    void stop() throws Exception {
        join(bus.close());
        join(vertx.close());
        infra.close();
    }

    @Test
    void shares_follow_the_routers_the_replicas_and_the_file() throws Exception {
        write(model(10));
        roster(replica(1).present());
        roster(replica(2).present());
        router("router-0");
        Membership leaving = router("router-1");

        RunningAdmission admission = start("admission-0");
        Await.until(
                "equal shares", SOON, () -> last().shares().equals(Map.of("router-0", 10_000L, "router-1", 10_000L)));
        assertThat(last().record().version()).isEqualTo(1);
        assertThat(last().record().header().epoch()).isNotNegative();
        Await.until("ready", SOON, () -> management(admission, "/readyz")
                .path("ready")
                .asBoolean());
        answers(admission);

        int before = seen.size();
        router("router-2");
        Map<String, Long> thirds = Map.of("router-0", 6_667L, "router-1", 6_667L, "router-2", 6_666L);
        Await.until("the third has its share", MOVED, () -> last().shares().equals(thirds));
        List<Seen> moving = seen.subList(before, seen.size());
        assertThat(moving).allSatisfy(each -> assertThat(each.sum()).isLessThanOrEqualTo(20_000));
        Seen lowered = first(moving, each -> each.shares().get("router-0") == 6_667);
        Seen raised = first(moving, each -> each.shares().getOrDefault("router-2", 0L) > 0);
        assertThat(raised.nanos() - lowered.nanos()).isGreaterThan(1_900_000_000L);

        judge(1, new Verdict.Ejected(Verdict.Severity.HARD, "test", 1, 0));
        Await.until("half the limit", Duration.ofSeconds(2), () -> last().sum() == 10_000);
        roster(replica(3).present());
        Await.until("the limit is back", MOVED, () -> last().shares().equals(thirds));

        join(leaving.close());
        Await.until("two share again", MOVED, () -> last().shares()
                .equals(Map.of("router-0", 10_000L, "router-2", 10_000L)));

        write(model(20));
        Await.until("the new limit", MOVED, () -> last().sum() == 40_000);
        assertThat(last().record().version()).isEqualTo(2);

        write("models: [{name: \"" + MODEL + "\", aliases: [llama], requestsPerSecondPerReplica: 20,"
                + " strategy: 'least-request: 2, random: 1', strategyOptions: {k: 3, epsilon: 0.5},"
                + " clientStrategies: [power-of-two], slowStart: 1m, session: {headers: [x-chat], fields: []},"
                + " deadline: 2m, retry: {on: [reset]}}]\n");
        PolicyRecord.Strategies strategies = new PolicyRecord.Strategies(
                "least-request:2,random:1",
                3,
                500L,
                List.of("power-of-two"),
                60_000L,
                new SessionNames(List.of("x-chat"), List.of()),
                "approximate",
                LoadTerms.DEFAULT,
                new RelayPolicy(120_000, Set.of(RetryOn.RESET), 0.1, 0, 0, List.of(), 0, 60_000));
        Await.until(
                "the new strategies", SOON, () -> last().record().strategies().equals(strategies));
        assertThat(last().record().version()).isEqualTo(3);
        assertThat(last().sum()).isEqualTo(40_000);

        write("models: [{name: \"" + MODEL + "\", requestsPerSecondPerReplica: lots}]\n");
        String wrong = "models[0].requestsPerSecondPerReplica: lots, expected a number";
        Await.until("the error on the page", SOON, () -> management(admission, "/debug/shares")
                .path("configError")
                .asText()
                .startsWith(wrong));
        Await.until("the error in the readiness", SOON, () -> management(admission, "/readyz")
                .toString()
                .contains(wrong));
        assertThat(rest(admission, "/" + MODEL).path("limitRps").asDouble()).isEqualTo(40);

        write("models: []\n");
        Await.until("gone", SOON, () -> last().record().gone());
        assertThat(last().record().version()).isEqualTo(4);
        Await.until("unknown", SOON, () -> status(admission, "GET", "/" + MODEL) == 404);
        assertThat(seen.stream().map(Seen::record)).allSatisfy(record -> {
            Long perReplica = record.milliRpsPerReplica();
            long limit = perReplica == null ? 0 : perReplica * record.routableReplicas();
            assertThat(record.shares().stream().mapToLong(RateShare::milliRps).sum())
                    .isLessThanOrEqualTo(limit);
        });
        metrics(admission);
        join(admission.shutdown(Duration.ofSeconds(1)));
    }

    @Test
    void a_new_owner_goes_on_where_the_last_one_was() throws Exception {
        write(model(10));
        roster(replica(1).present());
        router("router-0");
        RunningAdmission first = start("admission-0");
        Await.until("the share", SOON, () -> last().shares().equals(Map.of("router-0", 10_000L)));
        RunningAdmission second = start("admission-1");
        Await.until(
                "it is read",
                SOON,
                () -> rest(second, "/" + MODEL).path("limitRps").asDouble() == 10);
        assertThat(rest(first, "/" + MODEL).path("owner").asBoolean()).isTrue();
        assertThat(rest(second, "/" + MODEL).path("owner").asBoolean()).isFalse();
        write(model(20));
        Await.until("the second version", SOON, () -> last().record().version() == 2 && last().sum() == 20_000);
        long epoch = last().record().header().epoch();

        join(first.shutdown(Duration.ofSeconds(1)));
        Await.until("the second owns it", SOON, () -> rest(second, "/" + MODEL)
                .path("owner")
                .asBoolean());
        Await.until("it asserts", SOON, () -> last().record().header().epoch() > epoch);
        assertThat(last().record().version()).isEqualTo(2);
        assertThat(last().shares()).isEqualTo(Map.of("router-0", 20_000L));

        write(model(30));
        Await.until("the third version", SOON, () -> last().record().version() == 3 && last().sum() == 30_000);
        assertThat(seen.stream().map(each -> each.record().version())).isSorted();
        join(second.shutdown(Duration.ofSeconds(1)));
    }

    @Test
    void rates_stay_while_redis_and_kafka_are_away() throws Exception {
        write(model(10));
        roster(replica(1).present());
        router("router-0");
        router("router-1");
        RunningAdmission admission = start("admission-0");
        Map<String, Long> halves = Map.of("router-0", 5_000L, "router-1", 5_000L);
        Await.until("equal shares", SOON, () -> last().shares().equals(halves));
        Await.until("ready", SOON, () -> management(admission, "/readyz")
                .path("ready")
                .asBoolean());

        infra.stopRedis();
        Await.until("Redis is missed", SOON, () -> !management(admission, "/debug/shares")
                .path("redisConnected")
                .asBoolean(true));
        // longer than a router that is missed keeps its share
        long until = System.nanoTime() + Duration.ofSeconds(6).toNanos();
        Await.until("it is asserted again", SOON, () -> last().nanos() - until > 0);
        assertThat(last().shares()).isEqualTo(halves);

        infra.stopKafka();
        write(model(20));
        Await.until("the file is read", SOON, () -> send(
                        "GET", admission.management().port(), "/metrics")
                .body()
                .contains(AdmissionMetrics.RELOADS + "{result=\"ok\"} 1"));
        assertThat(rest(admission, "/" + MODEL).at("/shares/router-1").asDouble())
                .isEqualTo(5);
        assertThat(management(admission, "/readyz").path("ready").asBoolean()).isTrue();

        infra.startRedis();
        infra.startKafka();
        Await.until("the new limit", Duration.ofSeconds(30), () -> last().sum() == 20_000);
        assertThat(last().record().version()).isEqualTo(2);
        join(admission.shutdown(Duration.ofSeconds(1)));
    }

    private void answers(RunningAdmission admission) {
        JsonNode one = rest(admission, "/" + MODEL);
        assertThat(one.path("model").asText()).isEqualTo(MODEL);
        assertThat(one.path("aliases").toString()).isEqualTo("[\"llama\"]");
        assertThat(one.path("strategy").asText()).isEqualTo("load-balance");
        assertThat(one.path("requestsPerSecondPerReplica").asDouble()).isEqualTo(10);
        assertThat(one.path("routableReplicas").asInt()).isEqualTo(2);
        assertThat(one.path("limitRps").asDouble()).isEqualTo(20);
        assertThat(one.path("shares").toString()).isEqualTo("{\"router-0\":10.0,\"router-1\":10.0}");
        assertThat(one.path("owner").asBoolean()).isTrue();
        assertThat(one.path("epoch").asLong()).isNotNegative();
        assertThat(one.path("ageMs").asLong()).isBetween(0L, 10_000L);
        assertThat(rest(admission, "/" + ENCODED).path("model").asText()).isEqualTo(MODEL);
        assertThat(rest(admission, "").path("data")).hasSize(1);
        assertThat(status(admission, "GET", "/sim/other")).isEqualTo(404);
        assertThat(rest(admission, "/sim/other").at("/error/code").asText()).isEqualTo("model_not_found");
        assertThat(status(admission, "POST", "")).isEqualTo(405);
        assertThat(status(admission, "DELETE", "/" + MODEL)).isEqualTo(405);
    }

    private void metrics(RunningAdmission admission) throws Exception {
        String page = send("GET", admission.management().port(), "/metrics").body();
        assertThat(page)
                .contains(
                        AdmissionMetrics.OWNER + " 1",
                        AdmissionMetrics.POLICIES + " 0",
                        AdmissionMetrics.PUBLISHED + "{result=\"ok\"}",
                        AdmissionMetrics.RELOADS + "{result=\"failed\"} 1",
                        AdmissionMetrics.CONFIG_WRONG + " 0");
    }

    private RunningAdmission start(String name) throws Exception {
        ServiceContext context = new ServiceContext(
                vertx,
                ConfigTree.load(file, Map.of()),
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                Incarnation.fresh(name));
        return (RunningAdmission) join(AdmissionWiring.start(context));
    }

    /** In one step, as the README asks for. */
    private void write(String models) throws IOException {
        Path next = directory.resolve("next.yaml");
        Files.writeString(
                next,
                "kafka: {bootstrapServers: \"" + infra.bootstrapServers() + "\", replicationFactor: 1}\n"
                        + "redis: {url: \"" + infra.redisUrl() + "\"}\n"
                        + "admission: {managementPort: 0, restPort: 0, ledgerPort: 0}\n" + models);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static String model(int rps) {
        return "models: [{name: \"" + MODEL + "\", aliases: [llama], requestsPerSecondPerReplica: " + rps + "}]\n";
    }

    private Membership router(String name) {
        return Membership.start(
                vertx, new RedisConfig(infra.redisUrl()), "router", Incarnation.fresh(name), Duration.ofSeconds(1));
    }

    private void roster(RosterRecord record) throws Exception {
        join(bus.publish(Topics.ROSTER, 0, record.replica().name(), RosterCodec.encode(record)));
    }

    private void judge(int number, Verdict verdict) throws Exception {
        HealthRecord record = new HealthRecord(
                new Header("health", 1, 0, 1, 0), number, "uid-1", verdict, 600_000_000, HealthRecord.NO_PASS, 0);
        join(bus.publish(Topics.HEALTH, 0, String.valueOf(number), HealthCodec.encode(record)));
    }

    private void note(byte[] value, long nanos) {
        try {
            if (value != null) seen.add(new Seen(PolicyCodec.decode(value), nanos));
        } catch (MalformedRecordException e) {
            throw new AssertionError(e);
        }
    }

    private Seen last() {
        return seen.getLast();
    }

    private static Seen first(List<Seen> records, Predicate<Seen> wanted) {
        return records.stream().filter(wanted).findFirst().orElseThrow();
    }

    private JsonNode management(RunningAdmission admission, String path) {
        return json(send("GET", admission.management().port(), path).body());
    }

    private JsonNode rest(RunningAdmission admission, String path) {
        return json(send("GET", admission.api().port(), "/v1/policies" + path).body());
    }

    private int status(RunningAdmission admission, String method, String path) {
        return send(method, admission.api().port(), "/v1/policies" + path).statusCode();
    }

    private HttpResponse<String> send(String method, int port, String path) {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        HttpRequest request = HttpRequest.newBuilder(uri)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static JsonNode json(String body) {
        try {
            return new ObjectMapper().readTree(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T> T join(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(15, TimeUnit.SECONDS);
    }
}
