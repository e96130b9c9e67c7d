package dev.penstock.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.kit.config.RedisConfig;
import dev.penstock.kit.run.ServiceContext;
import dev.penstock.model.HealthRecord;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.Topics;
import dev.penstock.model.Verdict;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.infra.FreshInfra;
import dev.penstock.testkit.record.ReplicaBuilder;
import dev.penstock.wire.HealthCodec;
import dev.penstock.wire.MalformedRecordException;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HealthIT {
    private static final Duration SOON = Duration.ofSeconds(15);
    private static final Duration OUT = Duration.ofSeconds(5);

    private final Vertx vertx = Vertx.vertx();
    private final Map<Integer, HealthRecord> last = new ConcurrentHashMap<>();
    private final List<HealthRecord> all = new CopyOnWriteArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void sick_engines_are_out_and_come_back_and_a_new_owner_goes_on() throws Exception {
        try (FreshInfra infra = FreshInfra.start();
                FakeEngine first = new FakeEngine(vertx);
                FakeEngine second = new FakeEngine(vertx);
                FakeEngine third = new FakeEngine(vertx);
                FakeEngine fourth = new FakeEngine(vertx)) {
            String config = "kafka: {bootstrapServers: \"" + infra.bootstrapServers() + "\", replicationFactor: 1}\n"
                    + "redis: {url: \"" + infra.redisUrl() + "\"}\n"
                    + "health: {managementPort: 0, ejectionBase: 500ms, ejectionMax: 2s}\n";
            Map<Integer, FakeEngine> engines = new TreeMap<>(Map.of(1, first, 2, second, 3, third, 4, fourth));
            fourth.mode = FakeEngine.Mode.CHAT_ONLY;
            KafkaBus bus = KafkaBus.create(
                    vertx,
                    KafkaConfig.read(ConfigTree.of(config)),
                    Incarnation.fresh("test"),
                    new SimpleMeterRegistry());
            bus.subscribe(List.of(Topics.HEALTH), (topic, key, value, nanos) -> note(key, value), () -> {});
            RunningHealth one = start(config, "health-0");
            RunningHealth two = start(config, "health-1");
            RedisConfig redis = RedisConfig.read(ConfigTree.of(config));
            List<FakeRouter> routers = new ArrayList<>();
            engines.forEach((number, engine) -> publish(
                    bus, ReplicaBuilder.replica(number).port(engine.port()).present()));

            // an idle fleet: probes alone find out who is well
            Await.until("all well", SOON, () -> engines.keySet().stream().allMatch(this::healthy));
            assertThat(fourth.lastPath).isEqualTo("/v1/chat/completions");
            for (String name : List.of("router-0", "router-1")) {
                routers.add(new FakeRouter(vertx, name, bus, redis, engines, this::verdict));
            }
            RunningHealth owner = owner(one, two);
            RunningHealth other = owner == one ? two : one;
            Await.until("routers", SOON, () -> page(owner).path("routers").size() == 2);
            Await.until("one owner", SOON, () -> !page(other).path("owner").asBoolean());

            first.mode = FakeEngine.Mode.ERRORS;
            Await.until("500s out", OUT, () -> hard(1));
            first.mode = FakeEngine.Mode.WELL;
            Await.until("half-open", SOON, () -> seen(1, Verdict.HalfOpen.class));
            Await.until("ramp", SOON, () -> seen(1, Verdict.Ramp.class));
            Await.until("back", SOON, () -> healthy(1));

            second.mode = FakeEngine.Mode.LIES;
            third.mode = FakeEngine.Mode.HANGS;
            Await.until("lies out", OUT, () -> hard(2));
            Await.until("hang out", OUT, () -> hard(3));
            Await.until("the page", SOON, () -> {
                JsonNode row = row(owner, 3);
                assertThat(row.path("name").asText()).isEqualTo("engine-3");
                assertThat(row.path("state").asText()).isEqualTo("ejected_hard");
                assertThat(row.path("quarantinedBy")).hasSize(2);
                assertThat(row.path("lastProbe").path("detail").asText()).isEqualTo("late, and nothing moves");
                return true;
            });

            long epoch = last.get(3).header().epoch();
            all.clear();
            join(owner.shutdown(Duration.ofSeconds(1)));
            Await.until("a new owner", SOON, () -> last.get(3).header().epoch() > epoch);
            Await.until("told by it", SOON, () -> page(other).path("owner").asBoolean());
            assertThat(all.stream()
                            .filter(record -> record.number() == 3)
                            .map(HealthRecord::verdict)
                            .toList())
                    .allMatch(verdict -> !verdict.routable());

            second.mode = FakeEngine.Mode.WELL;
            third.mode = FakeEngine.Mode.WELL;
            Await.until("lies back", SOON, () -> healthy(2));
            Await.until("hang back", SOON, () -> healthy(3));
            assertThat(all.stream()
                            .filter(record -> record.number() == 1 || record.number() == 4)
                            .map(HealthRecord::verdict)
                            .toList())
                    .allMatch(Verdict::routable);

            assertThat(get(other, "/metrics"))
                    .contains("penstock_health_probes_total{result=\"passed\"}")
                    .contains("penstock_health_replicas{verdict=\"ejected_hard\"}")
                    .contains("penstock_health_transitions_total{verdict=\"half_open\"}")
                    .contains("penstock_health_owner 1");
            assertThat(get(other, "/readyz")).contains("\"ready\" : true");

            engines.remove(4);
            publish(bus, ReplicaBuilder.replica(4).port(fourth.port()).gone());
            Await.until("taken back", SOON, () -> !last.containsKey(4));
            for (FakeRouter router : routers) join(router.close());
            join(other.shutdown(Duration.ofSeconds(1)));
            join(bus.close());
        } finally {
            join(vertx.close());
        }
    }

    private RunningHealth start(String config, String name) throws Exception {
        ServiceContext context = new ServiceContext(
                vertx,
                ConfigTree.of(config),
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                Incarnation.fresh(name));
        return (RunningHealth) join(HealthWiring.start(context));
    }

    private RunningHealth owner(RunningHealth one, RunningHealth two) {
        Await.until(
                "an owner",
                SOON,
                () -> page(one).path("owner").asBoolean()
                        || page(two).path("owner").asBoolean());
        return page(one).path("owner").asBoolean() ? one : two;
    }

    private static void publish(KafkaBus bus, RosterRecord record) {
        bus.publish(Topics.ROSTER, 0, record.replica().name(), RosterCodec.encode(record));
    }

    private void note(String key, byte[] value) {
        try {
            if (value == null) {
                last.remove(Integer.valueOf(key));
                return;
            }
            HealthRecord record = HealthCodec.decode(value);
            last.put(record.number(), record);
            all.add(record);
        } catch (MalformedRecordException e) {
            throw new AssertionError(e);
        }
    }

    private Verdict verdict(int number) {
        HealthRecord record = last.get(number);
        return record == null ? Verdict.UNKNOWN : record.verdict();
    }

    private boolean healthy(int number) {
        return verdict(number).equals(Verdict.HEALTHY);
    }

    private boolean hard(int number) {
        return verdict(number) instanceof Verdict.Ejected e && e.severity() == Verdict.Severity.HARD;
    }

    private boolean seen(int number, Class<? extends Verdict> kind) {
        return all.stream().anyMatch(record -> record.number() == number && kind.isInstance(record.verdict()));
    }

    private JsonNode row(RunningHealth health, int number) {
        for (JsonNode each : page(health).path("replicas")) {
            if (each.path("number").asInt() == number) return each;
        }
        throw new AssertionError("no row " + number);
    }

    private JsonNode page(RunningHealth health) {
        try {
            return new ObjectMapper().readTree(get(health, "/debug/verdicts"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String get(RunningHealth health, String path) {
        URI uri = URI.create("http://127.0.0.1:" + health.management().port() + path);
        try {
            return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static <T> T join(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(15, TimeUnit.SECONDS);
    }
}
