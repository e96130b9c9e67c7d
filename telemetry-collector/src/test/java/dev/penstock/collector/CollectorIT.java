package dev.penstock.collector;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.kit.run.ServiceContext;
import dev.penstock.model.Header;
import dev.penstock.model.InflightVector;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.Sample;
import dev.penstock.model.Shards;
import dev.penstock.model.TelemetryFrame;
import dev.penstock.model.TopicSpec;
import dev.penstock.model.Topics;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.infra.RealInfra;
import dev.penstock.wire.InflightCodec;
import dev.penstock.wire.MalformedRecordException;
import dev.penstock.wire.RosterCodec;
import dev.penstock.wire.TelemetryCodec;
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
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CollectorIT {
    private static final Duration SOON = Duration.ofSeconds(15);

    private final Vertx vertx = Vertx.vertx();
    private final Map<String, RosterRecord> roster = new ConcurrentHashMap<>();
    private final List<TelemetryFrame> frames = new CopyOnWriteArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    @Test
    void replicas_are_numbered_and_told_and_keep_their_numbers() throws Exception {
        Path file = directory.resolve("replicas.yaml");
        RealInfra infra = RealInfra.shared();
        try (FakeEngine first = new FakeEngine(vertx, "sim/llama");
                FakeEngine second = new FakeEngine(vertx, "sim/llama")) {
            String config = "kafka: {bootstrapServers: \"" + infra.bootstrapServers() + "\", replicationFactor: 1}\n"
                    + "redis: {url: \"" + infra.redisUrl() + "\"}\n"
                    + "telemetry: {managementPort: 0}\n"
                    + "discovery: {file: \"" + file + "\"}\n";
            Files.writeString(file, "replicas:\n" + line("a", first));
            KafkaBus bus = KafkaBus.create(
                    vertx,
                    KafkaConfig.read(ConfigTree.of(config)),
                    Incarnation.fresh("reader"),
                    new SimpleMeterRegistry());
            bus.subscribe(List.of(Topics.ROSTER), (topic, key, value, nanos) -> note(topic, key, value), () -> {});
            bus.subscribe(List.of(Topics.TELEMETRY), (topic, key, value, nanos) -> note(topic, key, value), () -> {});
            RunningCollector collector = start(config);

            Await.until("the roster", SOON, () -> roster.containsKey("a"));
            assertThat(roster.get("a").replica().models()).containsExactly("sim/llama");
            int number = roster.get("a").replica().number();
            Await.until("a moving sample", SOON, () -> heartbeats(number) > 3);
            Sample sample = samples(number).getLast();
            assertThat(sample.running()).isEqualTo(2);
            assertThat(sample.kvUsedPpm()).isEqualTo(500_000);
            assertThat(sample.intervalMillis()).isEqualTo(50);
            Await.until("a full frame", SOON, () -> frames.stream().anyMatch(TelemetryFrame::full));
            Await.until(
                    "ready", SOON, () -> get(collector, "/readyz").path("ready").asBoolean());

            Files.writeString(file, "replicas:\n" + line("a", first) + line("b", second));
            Await.until("the second", Duration.ofSeconds(2), () -> roster.containsKey("b"));
            assertThat(roster.get("b").replica().number()).isEqualTo(number + 1);

            Files.writeString(file, "replicas: [{name: b, endpoint: nowhere}]");
            Await.until("the error", SOON, () -> get(collector, "/debug/replicas")
                    .path("discoveryError")
                    .asText()
                    .contains("replicas[0].endpoint: \"nowhere\", expected a base URL"));
            JsonNode page = get(collector, "/debug/replicas").path("replicas");
            assertThat(page).hasSize(2);
            assertThat(page.get(0).path("freshness").asText()).isEqualTo("FRESH");

            // a page that fails under the eyes of routers: the age grows, and the collector says why
            second.mode = FakeEngine.Mode.BROKEN;
            Await.until("missing", SOON, () -> {
                bus.send(Topics.INFLIGHT, 0, "router", traffic(number + 1));
                JsonNode status =
                        get(collector, "/debug/replicas").path("replicas").get(1);
                return status.path("freshness").asText().equals("MISSING")
                        && status.path("lastError").asText().equals("status 500")
                        && status.path("intervalMs").asInt() == 50;
            });

            join(collector.shutdown(Duration.ofSeconds(1)));
            Files.writeString(file, "replicas:\n" + line("b", second) + line("a", first));
            String uid = roster.get("a").replica().uid();
            roster.clear();
            RunningCollector next = start(config);
            Await.until(
                    "both again",
                    SOON,
                    () -> get(next, "/debug/replicas").path("replicas").size() == 2);
            JsonNode again = get(next, "/debug/replicas").path("replicas");
            assertThat(again.get(0).path("name").asText()).isEqualTo("a");
            assertThat(again.get(0).path("number").asInt()).isEqualTo(number);
            assertThat(again.get(1).path("number").asInt()).isEqualTo(number + 1);

            Files.writeString(file, "replicas:\n" + line("b", second));
            Await.until(
                    "a gone",
                    SOON,
                    () -> roster.containsKey("a") && roster.get("a").gone());
            assertThat(roster.get("a").replica().uid()).isEqualTo(uid);
            join(next.shutdown(Duration.ofSeconds(1)));
            join(bus.close());
        } finally {
            join(vertx.close());
        }
    }

    @Test
    void adapters_come_and_go_within_two_seconds_and_outlive_the_owner() throws Exception {
        Path file = directory.resolve("replicas.yaml");
        RealInfra infra = RealInfra.shared();
        try (FakeEngine engine = new FakeEngine(vertx, "sim/llama")) {
            String config = "kafka: {bootstrapServers: \"" + infra.bootstrapServers() + "\", replicationFactor: 1}\n"
                    + "redis: {url: \"" + infra.redisUrl() + "\"}\n"
                    + "telemetry: {managementPort: 0}\n"
                    + "discovery: {file: \"" + file + "\"}\n";
            Files.writeString(
                    file, "replicas:\n" + line("lora", engine).replace("}", ", models: [mine/m], engine: vllm}"));
            KafkaBus bus = KafkaBus.create(
                    vertx,
                    KafkaConfig.read(ConfigTree.of(config)),
                    Incarnation.fresh("reader"),
                    new SimpleMeterRegistry());
            bus.subscribe(List.of(Topics.ROSTER), (topic, key, value, nanos) -> note(topic, key, value), () -> {});
            RunningCollector collector = start(config);
            Await.until("the roster", SOON, () -> roster.containsKey("lora"));
            String uid = roster.get("lora").replica().uid();
            Await.until("it was asked", SOON, () -> engine.asked.contains("/v1/models"));

            engine.adapters = List.of("sql");
            Await.until("loaded", Duration.ofSeconds(2), () -> models("lora").equals(List.of("mine/m", "sql")));
            engine.adapters = List.of("sql", "chat");
            Await.until(
                    "another", Duration.ofSeconds(2), () -> models("lora").equals(List.of("mine/m", "chat", "sql")));
            engine.adapters = List.of("chat");
            Await.until("unloaded", Duration.ofSeconds(2), () -> models("lora").equals(List.of("mine/m", "chat")));
            assertThat(roster.get("lora").replica().uid()).isEqualTo(uid);

            join(collector.shutdown(Duration.ofSeconds(1)));
            List<List<String>> told = new CopyOnWriteArrayList<>();
            bus.subscribe(
                    List.of(Topics.ROSTER),
                    (topic, key, value, nanos) -> {
                        note(topic, key, value);
                        if (key.equals("lora")) told.add(models("lora"));
                    },
                    () -> {});
            RunningCollector next = start(config);
            Await.until(
                    "the next owns and told",
                    SOON,
                    () -> get(next, "/debug/replicas").path("owner").asBoolean()
                            && get(next, "/debug/replicas").path("replicas").size() == 1);
            int asked = engine.asked.size();
            Await.until("it was asked again", SOON, () -> engine.asked
                    .subList(asked, engine.asked.size())
                    .contains("/v1/models"));
            // the first record is the one of before any adapter was loaded
            assertThat(told.subList(1, told.size())).doesNotContain(List.of("mine/m"));
            engine.adapters = List.of();
            Await.until("unloaded under the next", SOON, () -> models("lora").equals(List.of("mine/m")));
            assertThat(roster.get("lora").replica().uid()).isEqualTo(uid);
            join(next.shutdown(Duration.ofSeconds(1)));
            join(bus.close());
        } finally {
            join(vertx.close());
        }
    }

    @Test
    void a_collector_starts_with_the_capacity_that_was_last_published() throws Exception {
        Path file = directory.resolve("replicas.yaml");
        RealInfra infra = RealInfra.shared();
        try (FakeEngine engine = new FakeEngine(vertx, "sim/llama")) {
            String config = "kafka: {bootstrapServers: \"" + infra.bootstrapServers() + "\", replicationFactor: 1}\n"
                    + "redis: {url: \"" + infra.redisUrl() + "\"}\n"
                    + "telemetry: {managementPort: 0}\n"
                    + "discovery: {file: \"" + file + "\"}\n";
            Files.writeString(file, "replicas:\n" + line("fast", engine));
            KafkaBus bus = KafkaBus.create(
                    vertx,
                    KafkaConfig.read(ConfigTree.of(config)),
                    Incarnation.fresh("reader"),
                    new SimpleMeterRegistry());
            bus.subscribe(
                    List.of(Topics.ROSTER, Topics.TELEMETRY),
                    (topic, key, value, nanos) -> note(topic, key, value),
                    () -> {});
            RunningCollector collector = start(config);
            Await.until("the roster", SOON, () -> roster.containsKey("fast"));
            int number = roster.get("fast").replica().number();
            join(collector.shutdown(Duration.ofSeconds(1)));
            Sample learned = new Sample(number, 1, 0, 0, 7, 1_730, 0, 50, 0);
            join(bus.publish(
                    Topics.TELEMETRY,
                    Shards.of(number),
                    Integer.toString(Shards.of(number)),
                    TelemetryCodec.encode(new TelemetryFrame(
                            new Header("collector-9", 5, 1, Header.NO_EPOCH, 0),
                            Shards.of(number),
                            true,
                            new BitSet(),
                            0,
                            List.of(learned)))));

            RunningCollector next = start(config);

            Await.until("the prior", SOON, () -> {
                JsonNode page = get(next, "/debug/replicas").path("replicas");
                return page.size() == 1
                        && page.get(0).path("capacity").path("prior").asDouble() == 1.73;
            });
            frames.clear();
            Await.until("it is published", SOON, () -> samples(number).stream()
                    .anyMatch(sample -> sample.capacityMilli() == 1_730));
            join(next.shutdown(Duration.ofSeconds(1)));
            join(bus.close());
        } finally {
            join(vertx.close());
        }
    }

    private List<String> models(String name) {
        RosterRecord record = roster.get(name);
        return record == null ? List.of() : record.replica().models();
    }

    @Test
    void a_new_owner_makes_no_replica_younger_than_it_followed_it() throws Exception {
        Path file = directory.resolve("replicas.yaml");
        RealInfra infra = RealInfra.shared();
        try (FakeEngine engine = new FakeEngine(vertx, "sim/llama")) {
            String config = "kafka: {bootstrapServers: \"" + infra.bootstrapServers() + "\", replicationFactor: 1}\n"
                    + "redis: {url: \"" + infra.redisUrl() + "\"}\n"
                    + "telemetry: {managementPort: 0}\n"
                    + "discovery: {file: \"" + file + "\"}\n";
            Files.writeString(file, "replicas:\n" + line("aged", engine));
            KafkaBus bus = KafkaBus.create(
                    vertx,
                    KafkaConfig.read(ConfigTree.of(config)),
                    Incarnation.fresh("reader"),
                    new SimpleMeterRegistry());
            bus.subscribe(List.of(Topics.ROSTER), (topic, key, value, nanos) -> note(topic, key, value), () -> {});
            long startNanos = System.nanoTime();
            RunningCollector first = start(config);
            Await.until("the roster", SOON, () -> roster.containsKey("aged"));
            RosterRecord young = roster.get("aged");
            assertThat(young.readyAgeMillis()).isBetween(0L, 1_000L);
            RunningCollector second = start(config);
            Await.until("it follows", SOON, () -> get(second, "/readyz")
                    .path("ready")
                    .asBoolean());
            long followedNanos = System.nanoTime();

            join(first.shutdown(Duration.ofSeconds(1)));
            Await.until("it owns", SOON, () -> get(second, "/debug/replicas")
                    .path("owner")
                    .asBoolean());
            long writtenNanos = System.nanoTime();
            Files.writeString(file, "replicas:\n" + line("aged", engine).replace("}", ", zone: z1}"));
            Await.until("it tells", SOON, () -> "z1"
                    .equals(roster.get("aged").replica().zone()));

            RosterRecord told = roster.get("aged");
            assertThat(told.replica().uid()).isEqualTo(young.replica().uid());
            assertThat(told.readyAgeMillis())
                    .isBetween(
                            (writtenNanos - followedNanos) / 1_000_000, (System.nanoTime() - startNanos) / 1_000_000);
            join(second.shutdown(Duration.ofSeconds(1)));
            join(bus.close());
        } finally {
            join(vertx.close());
        }
    }

    private RunningCollector start(String config) throws Exception {
        ServiceContext context = new ServiceContext(
                vertx,
                ConfigTree.of(config),
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                Incarnation.fresh("collector"));
        return (RunningCollector) join(CollectorWiring.start(context));
    }

    private void note(TopicSpec topic, String key, byte[] value) {
        try {
            if (value == null) return;
            if (topic.equals(Topics.ROSTER)) roster.put(key, RosterCodec.decode(value));
            else frames.add(TelemetryCodec.decode(value));
        } catch (MalformedRecordException e) {
            throw new AssertionError(e);
        }
    }

    private List<Sample> samples(int number) {
        return frames.stream()
                .flatMap(frame -> frame.samples().stream())
                .filter(sample -> sample.number() == number)
                .toList();
    }

    private long heartbeats(int number) {
        return samples(number).stream().mapToLong(Sample::heartbeat).distinct().count();
    }

    private static byte[] traffic(int number) {
        long sequence = System.nanoTime() & Long.MAX_VALUE;
        return InflightCodec.encode(new InflightVector(
                new Header("router", 1, sequence, Header.NO_EPOCH, 0),
                1,
                true,
                new int[] {number},
                new int[] {1},
                List.of()));
    }

    private JsonNode get(RunningCollector collector, String path) {
        URI uri = URI.create("http://127.0.0.1:" + collector.management().port() + path);
        try {
            String body = http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
            return new ObjectMapper().readTree(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String line(String name, FakeEngine engine) {
        return "  - {name: " + name + ", endpoint: \"" + engine.url() + "\"}\n";
    }

    private static <T> T join(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(15, TimeUnit.SECONDS);
    }
}
