package dev.penstock.relaybench;

import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.model.Header;
import dev.penstock.model.Replica;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.Sample;
import dev.penstock.model.Shards;
import dev.penstock.model.TelemetryFrame;
import dev.penstock.model.Topics;
import dev.penstock.relaybench.rig.Bodies;
import dev.penstock.relaybench.rig.Engines;
import dev.penstock.testkit.infra.EmbeddedKafka;
import dev.penstock.testkit.infra.EmbeddedRedis;
import dev.penstock.wire.RosterCodec;
import dev.penstock.wire.TelemetryCodec;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The rig's engines as a collector tells of them: a roster, and each 50 ms a frame per shard in which every engine is idle
 * and has stepped. With a broker and a Redis of its own, so that two routers can have fleets of different sizes.
 */
final class StubFleet implements AutoCloseable {
    private static final int INTERVAL_MILLIS = 50;
    private static final long AGE_MICROS = 1_000;
    private static final long HOUR_MILLIS = 3_600_000;
    /** A full frame each second, as collectors do. */
    private static final int FULL_EACH = 20;

    private static final int REASSERT_MILLIS = 30_000;

    private final int replicas;
    private final int enginePort;
    private final EmbeddedKafka kafka;
    private final EmbeddedRedis redis;
    private final Vertx vertx;
    private final KafkaBus bus;
    private final Incarnation collector = Incarnation.fresh("bench-collector");
    private int frames;

    private StubFleet(Path folder, int replicas, int enginePort) {
        this.replicas = replicas;
        this.enginePort = enginePort;
        this.kafka = EmbeddedKafka.start(folder.resolve("kafka-" + replicas), 0);
        this.redis = EmbeddedRedis.start(0);
        this.vertx = Vertx.vertx();
        KafkaConfig config = new KafkaConfig(kafka.bootstrapServers(), (short) 1);
        this.bus = KafkaBus.create(vertx, config, collector, new SimpleMeterRegistry());
    }

    static StubFleet start(Path folder, int replicas, int enginePort) throws Exception {
        StubFleet fleet = new StubFleet(folder, replicas, enginePort);
        fleet.publishRoster();
        fleet.vertx.setPeriodic(REASSERT_MILLIS, timer -> fleet.publishRoster());
        fleet.vertx.setPeriodic(INTERVAL_MILLIS, timer -> fleet.publishFrames());
        return fleet;
    }

    int replicas() {
        return replicas;
    }

    String bootstrapServers() {
        return kafka.bootstrapServers();
    }

    String redisUrl() {
        return redis.url();
    }

    private void publishRoster() {
        for (int number = 1; number <= replicas; number++) {
            Replica replica = Replica.serving(
                    Bodies.MODEL,
                    "engine-" + number,
                    number,
                    "uid-1",
                    "http://" + Engines.host(number - 1) + ":" + enginePort);
            RosterRecord record = new RosterRecord(header(number), replica, false, replicas, HOUR_MILLIS);
            var unused = bus.publish(Topics.ROSTER, 0, replica.name(), RosterCodec.encode(record));
        }
    }

    private void publishFrames() {
        frames++;
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            List<Sample> samples = new ArrayList<>();
            for (int position = 0; Shards.number(shard, position) <= replicas; position++) {
                int number = Shards.number(shard, position);
                if (number == 0) continue;
                samples.add(new Sample(number, 0, 0, 0, frames, 0, AGE_MICROS, INTERVAL_MILLIS, 0));
            }
            if (samples.isEmpty()) continue;
            TelemetryFrame frame =
                    new TelemetryFrame(header(frames), shard, frames % FULL_EACH == 0, new BitSet(), 0, samples);
            bus.send(Topics.TELEMETRY, shard, String.valueOf(shard), TelemetryCodec.encode(frame));
        }
    }

    private Header header(long sequence) {
        return new Header(collector.name(), collector.nonce(), sequence, Header.NO_EPOCH, System.nanoTime());
    }

    @Override
    public void close() throws Exception {
        bus.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        redis.close();
        kafka.close();
    }
}
