package dev.penstock.kit.bus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.kit.metrics.MetricNames;
import dev.penstock.model.TopicSpec;
import dev.penstock.model.Topics;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.FreePorts;
import dev.penstock.testkit.infra.EmbeddedKafka;
import dev.penstock.testkit.infra.FreshInfra;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaBusTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final AtomicInteger caughtUp = new AtomicInteger();

    @AfterEach
    void close() {
        join(vertx.close());
    }

    @Test
    void facts_are_read_from_the_beginning_and_streams_from_the_end() throws Exception {
        try (FreshInfra infra = FreshInfra.start()) {
            KafkaBus bus = bus(infra.bootstrapServers());
            join(bus.publish(Topics.ROSTER, 0, "a", bytes("1")));
            join(bus.publish(Topics.ROSTER, 0, "b", bytes("2")));
            join(bus.publish(Topics.ROSTER, 0, "a", null));
            join(bus.publish(Topics.TELEMETRY, 3, "3", bytes("before")));

            bus.subscribe(List.of(Topics.ROSTER, Topics.TELEMETRY), this::note, () -> {
                seen.add("caught up");
                caughtUp.incrementAndGet();
            });
            Await.until("caught up", SOON, () -> caughtUp.get() == 1);
            assertThat(seen).containsExactly("a=1", "b=2", "a=null", "caught up");

            // a stream may be joined a little later than the facts
            Await.until("a frame", SOON, () -> {
                bus.send(Topics.TELEMETRY, 3, "3", bytes("after"));
                return seen.contains("3=after");
            });
            assertThat(seen).doesNotContain("3=before");
            assertThat(caughtUp).hasValue(1);
            assertThat(setting(infra, Topics.ROSTER, "cleanup.policy")).isEqualTo("compact");
            assertThat(setting(infra, Topics.INFLIGHT, "retention.ms")).isEqualTo("60000");
            assertThat(setting(infra, Topics.INFLIGHT, "segment.ms")).isEqualTo("30000");
            join(bus.close());
        }
    }

    @Test
    void what_may_wait_goes_alone_after_a_while_and_else_before_what_may_not() {
        try (FreshInfra infra = FreshInfra.start()) {
            KafkaBus bus = bus(infra.bootstrapServers());
            bus.subscribe(List.of(Topics.TELEMETRY), this::note, caughtUp::incrementAndGet);
            Await.until("caught up", SOON, () -> caughtUp.get() == 1);
            Await.until("one alone", SOON, () -> {
                if (seen.isEmpty()) bus.sendSoon(Topics.TELEMETRY, 3, "3", bytes("alone"));
                return !seen.isEmpty();
            });
            for (int i = 0; i < 5; i++) bus.sendSoon(Topics.TELEMETRY, 3, "3", bytes("held" + i));
            bus.send(Topics.TELEMETRY, 3, "3", bytes("at once"));

            Await.until("all", SOON, () -> seen.contains("3=at once"));
            assertThat(seen).endsWith("3=held0", "3=held1", "3=held2", "3=held3", "3=held4", "3=at once");
            join(bus.close());
        }
    }

    @Test
    void the_last_records_of_a_stream_are_read_on_demand() {
        try (FreshInfra infra = FreshInfra.start()) {
            KafkaBus bus = bus(infra.bootstrapServers());
            for (int i = 0; i < 5; i++) join(bus.publish(Topics.TELEMETRY, 3, "3", bytes("f" + i)));
            join(bus.publish(Topics.TELEMETRY, 4, "4", bytes("g")));

            bus.subscribeFromTail(List.of(Topics.TELEMETRY), 2, this::note, () -> {
                seen.add("caught up");
                caughtUp.incrementAndGet();
            });

            Await.until("caught up", SOON, () -> caughtUp.get() == 1);
            assertThat(seen).containsExactlyInAnyOrder("3=f3", "3=f4", "4=g", "caught up");
            assertThat(seen).endsWith("caught up");
            join(bus.close());
        }
    }

    @Test
    void reads_to_where_the_topics_end_when_asked() {
        try (FreshInfra infra = FreshInfra.start()) {
            KafkaBus bus = bus(infra.bootstrapServers());
            Subscription subscription = bus.subscribe(List.of(Topics.ROSTER, Topics.POLICY), this::note, () -> {});
            for (int i = 0; i < 20; i++) {
                join(bus.publish(i % 2 == 0 ? Topics.ROSTER : Topics.POLICY, 0, "k" + i, bytes("v")));

                join(subscription.readToEnd());

                assertThat(seen).hasSize(i + 1);
            }

            transact(infra, Topics.ROSTER, "last");
            join(subscription.readToEnd());

            assertThat(seen).endsWith("t=last");
            join(subscription.close());
            assertThat(subscription.readToEnd().failed()).isTrue();
            join(bus.close());
        }
    }

    @Test
    void says_in_time_that_the_end_cannot_be_known() {
        try (FreshInfra infra = FreshInfra.start()) {
            KafkaBus bus = bus(infra.bootstrapServers());
            Subscription subscription = bus.subscribe(List.of(Topics.ROSTER), this::note, caughtUp::incrementAndGet);
            Await.until("caught up", SOON, () -> caughtUp.get() == 1);
            infra.kafkaProxy().freeze();
            long start = System.nanoTime();

            Future<Void> end = subscription.readToEnd();
            Await.until("said", SOON, end::isComplete);

            assertThat(end.cause()).hasMessageContaining("not read to the end within 3000 ms");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(6_000));
            infra.kafkaProxy().pass();
            Await.until("Kafka is back", SOON, bus::connected);
            Await.until("read", SOON, () -> {
                Future<Void> again = subscription.readToEnd();
                Await.until("said", SOON, again::isComplete);
                return again.succeeded();
            });
            join(bus.close());
        }
    }

    /** The last offset of the topic is the marker that ends a transaction: no record has it. */
    private static void transact(FreshInfra infra, TopicSpec topic, String value) {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", infra.bootstrapServers(), "transactional.id", "marker");
        try (KafkaProducer<String, byte[]> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic.name(), 0, "t", bytes(value)));
            producer.commitTransaction();
        }
    }

    @Test
    void survives_a_broker_that_goes_and_comes_back() {
        try (FreshInfra infra = FreshInfra.start()) {
            KafkaBus bus = bus(infra.bootstrapServers());
            bus.subscribe(List.of(Topics.ROSTER), this::note, caughtUp::incrementAndGet);
            join(bus.publish(Topics.ROSTER, 0, "a", bytes("1")));
            Await.until("the first", SOON, () -> seen.equals(List.of("a=1")));

            infra.stopKafka();
            Await.until("lost", Duration.ofSeconds(3), () -> !bus.connected());
            Future<Void> meanwhile = bus.publish(Topics.ROSTER, 0, "b", bytes("2"));
            floodWithoutWaiting(bus);
            Await.until("drops are counted", SOON, () -> dropped() >= 1_000);
            infra.startKafka();

            Await.until("back", Duration.ofSeconds(3), bus::connected);
            join(meanwhile);
            Await.until("no fact lost, none twice", SOON, () -> seen.equals(List.of("a=1", "b=2")));
            assertThat(caughtUp).hasValue(1);
            join(bus.close());
        }
    }

    @Test
    void frozen_broker_is_noticed_and_forgiven() {
        try (FreshInfra infra = FreshInfra.start()) {
            KafkaBus bus = bus(infra.bootstrapServers());
            bus.subscribe(List.of(Topics.ROSTER), this::note, caughtUp::incrementAndGet);
            Await.until("caught up", SOON, () -> caughtUp.get() == 1);

            infra.kafkaProxy().freeze();
            Await.until("lost", Duration.ofSeconds(3), () -> !bus.connected());
            infra.kafkaProxy().pass();

            Await.until("back", Duration.ofSeconds(3), bus::connected);
            join(bus.publish(Topics.ROSTER, 0, "a", bytes("1")));
            Await.until("read", SOON, () -> seen.equals(List.of("a=1")));
            infra.kafkaProxy().freeze();
            closesInTime(bus);
        }
    }

    @Test
    void starts_without_a_broker_and_finds_it_later(@TempDir Path directory) {
        int port = FreePorts.one();
        KafkaBus bus = bus("127.0.0.1:" + port);
        bus.subscribe(List.of(Topics.ROSTER, Topics.OUTCOMES), this::note, caughtUp::incrementAndGet);
        Future<Void> early = bus.publish(Topics.ROSTER, 0, "a", bytes("1"));
        floodWithoutWaiting(bus);
        assertThat(bus.connected()).isFalse();

        try (EmbeddedKafka kafka = EmbeddedKafka.start(directory, port)) {
            assertThat(kafka.isRunning()).isTrue();
            Await.until("found", SOON, bus::connected);
            join(early);
            Await.until("read", SOON, () -> seen.contains("a=1") && caughtUp.get() == 1);
            Await.until("a stream record", SOON, () -> {
                bus.send(Topics.OUTCOMES, 1, "r", bytes("x"));
                return seen.contains("r=x");
            });
        }
        closesInTime(bus);
    }

    @Test
    void unresolvable_broker_costs_nobody_a_wait() {
        KafkaBus bus = bus("no-such-host.invalid:9092");
        bus.subscribe(List.of(Topics.ROSTER), this::note, caughtUp::incrementAndGet);

        floodWithoutWaiting(bus);

        Await.until("drops are counted", SOON, () -> dropped() >= 2_000);
        assertThat(bus.connected()).isFalse();
        closesInTime(bus);
    }

    private void floodWithoutWaiting(KafkaBus bus) {
        long start = System.nanoTime();
        for (int i = 0; i < 2_000; i++) bus.send(Topics.TELEMETRY, i % 16, "k", bytes("v"));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(500));
        assertThat(dropped()).isGreaterThanOrEqualTo(500);
    }

    private static void closesInTime(KafkaBus bus) {
        long start = System.nanoTime();
        join(bus.close());
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(2_200));
    }

    private double dropped() {
        return meters.counter(MetricNames.BUS_DROPPED, MetricNames.TOPIC_LABEL, Topics.TELEMETRY.name())
                .count();
    }

    private KafkaBus bus(String bootstrapServers) {
        return KafkaBus.create(vertx, new KafkaConfig(bootstrapServers, (short) 3), Incarnation.fresh("test"), meters);
    }

    private void note(TopicSpec topic, String key, byte[] value, long receiveNanos) {
        seen.add(key + "=" + (value == null ? null : new String(value, StandardCharsets.UTF_8)));
    }

    private static String setting(FreshInfra infra, TopicSpec topic, String key)
            throws ExecutionException, InterruptedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", infra.bootstrapServers()))) {
            return admin.describeConfigs(List.of(resource))
                    .all()
                    .get()
                    .get(resource)
                    .get(key)
                    .value();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static <T> T join(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }
}
