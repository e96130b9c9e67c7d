package dev.penstock.kit.bus;

import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.kit.metrics.MetricNames;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sends stream data and never lets the sender wait: Kafka's {@code send} blocks on missing metadata, so a thread of its
 * own calls it, fed by a queue that drops when a thousand are unsent or when a record has become late. Any thread may
 * send.
 *
 * <p>A request to the broker costs a router some 0.4 ms of processor time and 10 kB, however few records are in it: what may
 * wait is held until another record goes, and all go in one.
 */
final class StreamSender {
    private static final int MOST_UNSENT = 1_000;
    private static final long LATE_NANOS = Duration.ofMillis(500).toNanos();
    private static final long LOOK_MILLIS = 100;
    private static final long HELD_NANOS = TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);

    private final Map<String, Object> settings;
    private final MeterRegistry meters;
    private final Map<String, Counter> dropped = new ConcurrentHashMap<>();
    private final AtomicInteger unsent = new AtomicInteger();
    private final LinkedBlockingQueue<Pending> queue = new LinkedBlockingQueue<>();
    /** Of the worker's thread. */
    private final Held<Pending> held = new Held<>(HELD_NANOS);

    private final Worker worker = new Worker("penstock-kafka-streams", this::run);
    private final Backoff backoff = new Backoff();
    private long retryAt = System.nanoTime();

    private record Pending(ProducerRecord<String, byte[]> record, boolean mayWait, long acceptedNanos) {}

    StreamSender(KafkaConfig kafka, Incarnation self, MeterRegistry meters) {
        this.settings = ClientSettings.streams(kafka, self);
        this.meters = meters;
    }

    Worker worker() {
        return worker;
    }

    /** @param mayWait for the next record that may not, {@value #LOOK_MILLIS} ms at most */
    void send(ProducerRecord<String, byte[]> record, boolean mayWait) {
        dropCounter(record.topic());
        boolean full = unsent.incrementAndGet() > MOST_UNSENT;
        if (full || worker.closing()) {
            unsent.decrementAndGet();
            drop(record);
            return;
        }
        queue.add(new Pending(record, mayWait, System.nanoTime()));
    }

    private void run() {
        KafkaProducer<String, byte[]> producer = null;
        while (!worker.closing() || !queue.isEmpty() || !held.isEmpty()) {
            try {
                Pending next = queue.poll(waitNanos(), TimeUnit.NANOSECONDS);
                if (producer == null) producer = create();
                if (next != null) held.add(next, next.mayWait(), next.acceptedNanos());
                if (waitNanos() <= 0) passHeld(producer);
            } catch (InterruptedException e) {
                break;
            }
        }
        if (producer != null) producer.close(Duration.ofMillis(500));
    }

    private long waitNanos() {
        return worker.closing() ? 0 : held.waitNanos(System.nanoTime());
    }

    /** In the order of their acceptance. */
    private void passHeld(@Nullable KafkaProducer<String, byte[]> producer) {
        for (Pending each = held.poll(); each != null; each = held.poll()) pass(producer, each);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback says the same
    private void pass(@Nullable KafkaProducer<String, byte[]> producer, Pending next) {
        if (producer == null || System.nanoTime() - next.acceptedNanos() > LATE_NANOS) {
            unsent.decrementAndGet();
            drop(next.record());
            return;
        }
        try {
            producer.send(next.record(), (metadata, failure) -> {
                unsent.decrementAndGet();
                if (failure != null) drop(next.record());
            });
        } catch (KafkaException | IllegalStateException refused) {
            unsent.decrementAndGet();
            drop(next.record());
        }
    }

    /** Fails while the name of the broker cannot be resolved, as in a pod that starts before its network. */
    private @Nullable KafkaProducer<String, byte[]> create() {
        if (System.nanoTime() - retryAt < 0) return null;
        try {
            return new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer());
        } catch (KafkaException unresolvable) {
            retryAt = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(backoff.nextMillis());
            return null;
        }
    }

    private void drop(ProducerRecord<String, byte[]> record) {
        dropCounter(record.topic()).increment();
    }

    private Counter dropCounter(String topic) {
        Counter known = dropped.get(topic);
        if (known != null) return known;
        return dropped.computeIfAbsent(
                topic, name -> meters.counter(MetricNames.BUS_DROPPED, MetricNames.TOPIC_LABEL, name));
    }
}
