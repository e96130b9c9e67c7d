package dev.penstock.router.cases;

import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.model.EngineKind;
import dev.penstock.model.Header;
import dev.penstock.model.Sample;
import dev.penstock.model.Shards;
import dev.penstock.model.TelemetryFrame;
import dev.penstock.model.Topics;
import dev.penstock.testkit.infra.FreshInfra;
import dev.penstock.testkit.record.ReplicaBuilder;
import dev.penstock.testkit.record.SampleBuilder;
import dev.penstock.wire.RosterCodec;
import dev.penstock.wire.TelemetryCodec;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a collector would tell of the replicas of all tests: a roster record each, and each 50 ms a frame in which every
 * heartbeat has moved. Numbers are never used twice.
 */
public final class FleetFeed implements AutoCloseable {
    private static final long FRAME_MILLIS = 50;

    private final Vertx vertx = Vertx.vertx();
    private final Incarnation self = Incarnation.fresh("collector");
    private final Map<Integer, ReplicaBuilder> numberToReplica = new ConcurrentHashMap<>();
    private final Set<Integer> frozen = ConcurrentHashMap.newKeySet();
    private final AtomicInteger lastNumber = new AtomicInteger();
    private final KafkaBus bus;
    private long sequence;

    FleetFeed(FreshInfra infra) {
        bus = KafkaBus.create(
                vertx,
                new KafkaConfig(infra.bootstrapServers(), (short) 1),
                self,
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
        vertx.setPeriodic(FRAME_MILLIS, timer -> sendFrames());
    }

    public KafkaBus bus() {
        return bus;
    }

    /** Tells of a replica, which is a candidate within some 100 ms. */
    public ReplicaBuilder add(String model, int port) {
        return add(model, EngineKind.VLLM, port);
    }

    ReplicaBuilder add(String model, EngineKind kind, int port) {
        int number = lastNumber.incrementAndGet();
        ReplicaBuilder replica = ReplicaBuilder.replica(number)
                .named("u-" + number)
                .port(port)
                .serving(model)
                .kind(kind);
        await(bus.publish(Topics.ROSTER, 0, replica.name(), RosterCodec.encode(replica.present())));
        numberToReplica.put(number, replica);
        return replica;
    }

    /** Tells of another incarnation of a replica. */
    void tell(ReplicaBuilder replica) {
        await(bus.publish(Topics.ROSTER, 0, replica.name(), RosterCodec.encode(replica.present())));
    }

    public void remove(ReplicaBuilder replica) {
        numberToReplica.remove(replica.number());
        await(bus.publish(Topics.ROSTER, 0, replica.name(), RosterCodec.encode(replica.gone())));
    }

    /** From here on its page shows one request that runs, and nothing on it moves. */
    public void freeze(int number) {
        frozen.add(number);
    }

    public void thaw(int number) {
        frozen.remove(number);
    }

    @Override
    public void close() {
        await(bus.close());
        await(vertx.close());
    }

    private void sendFrames() {
        sequence++;
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            List<Sample> samples = new ArrayList<>();
            for (int number : numberToReplica.keySet()) {
                if (Shards.of(number) == shard) {
                    boolean still = frozen.contains(number);
                    samples.add(SampleBuilder.sample(number)
                            .running(still ? 1 : 0)
                            .heartbeat(still ? 1 : sequence)
                            .ageMicros(1_000)
                            .build());
                }
            }
            if (!samples.isEmpty()) send(shard, samples);
        }
    }

    private void send(int shard, List<Sample> samples) {
        Header header = new Header("collector", self.nonce(), sequence, Header.NO_EPOCH, System.nanoTime());
        TelemetryFrame frame = new TelemetryFrame(header, shard, true, new BitSet(), 0, samples);
        bus.send(Topics.TELEMETRY, shard, String.valueOf(shard), TelemetryCodec.encode(frame));
    }

    private static void await(Future<?> future) {
        try {
            future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
