package dev.penstock.kit.bus;

import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.kit.metrics.MetricNames;
import dev.penstock.model.TopicSpec;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Kafka as Penstock uses it. The bus starts without a broker, survives the loss of one, and never makes an event loop
 * wait.
 *
 * <p>It drives Kafka's own clients, each on a daemon thread, instead of the Vert.x client: creating a client blocks on
 * name resolution and throws when that fails, {@code send} blocks on metadata, and a whole batch needs a single hop to
 * its context. Threads: one that watches the cluster, one for streams, one for facts, one per subscription.
 */
public final class KafkaBus {
    private static final Duration CLOSE = Duration.ofMillis(1_500);

    private final Vertx vertx;
    private final BrokerMonitor monitor;
    private final StreamSender streams;
    private final FactSender facts;
    private final Map<String, Object> readerSettings;
    private final List<Reader> readers = new CopyOnWriteArrayList<>();
    private final MeterRegistry meters;
    private final Gauge connected;

    private KafkaBus(Vertx vertx, KafkaConfig kafka, Incarnation self, MeterRegistry meters) {
        this.vertx = vertx;
        this.meters = meters;
        monitor = new BrokerMonitor(kafka, self);
        streams = new StreamSender(kafka, self, meters);
        facts = new FactSender(vertx, kafka, self);
        readerSettings = ClientSettings.consumer(kafka, self);
        connected = Gauge.builder(MetricNames.BUS_CONNECTED, monitor, state -> state.connected() ? 1 : 0)
                .register(meters);
    }

    public static KafkaBus create(Vertx vertx, KafkaConfig kafka, Incarnation self, MeterRegistry meters) {
        KafkaBus bus = new KafkaBus(vertx, kafka, self, meters);
        bus.monitor.worker().start();
        bus.streams.worker().start();
        bus.facts.worker().start();
        return bus;
    }

    /** Stream data: gone within half a second, or dropped and counted. */
    public void send(TopicSpec topic, int partition, String key, byte[] value) {
        streams.send(new ProducerRecord<>(topic.name(), partition, key, value), false);
    }

    /** The same for what nobody waits for: it goes with the next record that does not wait, after 100 ms at the latest. */
    public void sendSoon(TopicSpec topic, int partition, String key, byte[] value) {
        streams.send(new ProducerRecord<>(topic.name(), partition, key, value), true);
    }

    /**
     * A fact: told to all replicas in sync, retried for 30 s, in order.
     *
     * @param value null removes the key
     */
    @SuppressWarnings("NullAway") // Kafka's tombstone
    public Future<Void> publish(TopicSpec topic, int partition, String key, byte @Nullable [] value) {
        return facts.publish(new ProducerRecord<>(topic.name(), partition, key, value));
    }

    /**
     * Reads all partitions: compacted topics from the beginning, streams from the end.
     *
     * @param caughtUp runs once, when the compacted topics have been read to where they ended at the start; without any,
     *     when the streams are being read
     */
    public Subscription subscribe(List<TopicSpec> topics, RecordHandler handler, Runnable caughtUp) {
        return subscribeWithOffsets(
                topics, (topic, key, value, offset, nanos) -> handler.record(topic, key, value, nanos), caughtUp);
    }

    /** The same, for a reader to whom offsets mean something. */
    public Subscription subscribeWithOffsets(List<TopicSpec> topics, PositionedHandler handler, Runnable caughtUp) {
        return subscribe(topics, handler, caughtUp, 0);
    }

    /**
     * Reads streams from a little before their end: what was said last, for one who was not there.
     *
     * @param tail records of each partition
     * @param caughtUp runs once, when what there was at the start has been read
     */
    public Subscription subscribeFromTail(List<TopicSpec> streams, int tail, RecordHandler handler, Runnable caughtUp) {
        return subscribe(
                streams,
                (topic, key, value, offset, nanos) -> handler.record(topic, key, value, nanos),
                caughtUp,
                tail);
    }

    private Subscription subscribe(List<TopicSpec> topics, PositionedHandler handler, Runnable caughtUp, int tail) {
        Context context = vertx.getOrCreateContext();
        Reader reader = new Reader(readerSettings, topics, handler, caughtUp, context, tail);
        readers.add(reader);
        reader.worker().start();
        return new Subscription() {
            @Override
            public Future<Void> readToEnd() {
                return reader.readToEnd();
            }

            @Override
            public Future<Void> close() {
                readers.remove(reader);
                return reader.close();
            }
        };
    }

    /** Whether the cluster answers; a second or two late. */
    public boolean connected() {
        return monitor.connected();
    }

    /** Sends what waits, if that goes quickly. */
    public Future<Void> close() {
        Promise<Void> done = Promise.promise();
        Context context = vertx.getOrCreateContext();
        readers.forEach(Reader::askToClose);
        List<Worker> workers = Stream.concat(
                        Stream.of(monitor.worker(), streams.worker(), facts.worker()),
                        readers.stream().map(Reader::worker))
                .toList();
        workers.forEach(Worker::askToClose);
        meters.remove(connected);
        Thread.ofVirtual().name("penstock-kafka-close").start(() -> {
            joinAll(workers);
            context.runOnContext(end -> done.complete());
        });
        return done.future();
    }

    private static void joinAll(List<Worker> workers) {
        long deadline = System.nanoTime() + CLOSE.toNanos();
        try {
            for (Worker worker : workers) {
                worker.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
