package dev.penstock.kit.bus;

import dev.penstock.kit.config.KafkaConfig;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Publishes facts, in order, on a thread of its own: a fact waits for its broker half a minute, and streams must not
 * wait behind it. Any thread may publish; it hears the outcome on its own context.
 */
final class FactSender {
    private static final int MOST_WAITING = 1_000;
    private static final long LATE_NANOS = Duration.ofSeconds(30).toNanos();

    private final Vertx vertx;
    private final Map<String, Object> settings;
    private final ArrayBlockingQueue<Pending> queue = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Worker worker = new Worker("penstock-kafka-facts", this::run);
    private final Backoff backoff = new Backoff();

    private record Pending(
            ProducerRecord<String, byte[]> record, Promise<Void> outcome, Context context, long acceptedNanos) {
        void complete(@Nullable Exception failure) {
            context.runOnContext(done -> {
                if (failure == null) outcome.complete();
                else outcome.fail(failure);
            });
        }

        boolean late() {
            return System.nanoTime() - acceptedNanos > LATE_NANOS;
        }
    }

    FactSender(Vertx vertx, KafkaConfig kafka, Incarnation self) {
        this.vertx = vertx;
        this.settings = ClientSettings.facts(kafka, self);
    }

    Worker worker() {
        return worker;
    }

    Future<Void> publish(ProducerRecord<String, byte[]> record) {
        Promise<Void> outcome = Promise.promise();
        Pending pending = new Pending(record, outcome, vertx.getOrCreateContext(), System.nanoTime());
        if (worker.closing()) return Future.failedFuture("the bus is closed");
        if (!queue.offer(pending)) return Future.failedFuture(MOST_WAITING + " facts wait for Kafka already");
        return outcome.future();
    }

    private void run() {
        KafkaProducer<String, byte[]> producer = null;
        while (!worker.closing() || (producer != null && !queue.isEmpty())) {
            try {
                if (producer == null) producer = create();
                if (producer == null) {
                    expire();
                    worker.pause(backoff.nextMillis());
                    continue;
                }
                Pending next = queue.poll(100, TimeUnit.MILLISECONDS);
                if (next != null) pass(producer, next);
            } catch (InterruptedException e) {
                break;
            }
        }
        if (producer != null) producer.close(Duration.ofSeconds(1));
        for (Pending left = queue.poll(); left != null; left = queue.poll()) {
            left.complete(new IllegalStateException("the bus was closed before it was sent"));
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback says the same
    private void pass(KafkaProducer<String, byte[]> producer, Pending next) {
        if (next.late()) {
            next.complete(new IllegalStateException("Kafka was away for too long"));
            return;
        }
        try {
            producer.send(next.record(), (metadata, failure) -> next.complete(failure));
        } catch (KafkaException | IllegalStateException refused) {
            next.complete(refused);
        }
    }

    private void expire() {
        for (Pending first = queue.peek(); first != null && first.late(); first = queue.peek()) {
            queue.poll();
            first.complete(new IllegalStateException("Kafka was away for too long"));
        }
    }

    private @Nullable KafkaProducer<String, byte[]> create() {
        try {
            return new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer());
        } catch (KafkaException unresolvable) {
            return null;
        }
    }
}
