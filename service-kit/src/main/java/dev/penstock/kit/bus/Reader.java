package dev.penstock.kit.bus;

import dev.penstock.model.TopicSpec;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One consumer on a thread of its own, which hands whole batches to the context of the subscriber: a batch is one hop
 * and one time stamp, and at most two are under way, so a slow subscriber slows the polling down and nothing piles up.
 * Everything but closing happens on that thread.
 */
final class Reader implements Subscription {
    private static final Logger LOG = LoggerFactory.getLogger(Reader.class);
    private static final int BATCHES_UNDER_WAY = 2;
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration LOOK_UP = Duration.ofMillis(500);

    private final Map<String, Object> settings;
    private final Map<String, TopicSpec> topics = new HashMap<>();
    private final List<TopicPartition> facts = new ArrayList<>();
    private final List<TopicPartition> streams = new ArrayList<>();
    private final PositionedHandler handler;
    private final Runnable caughtUp;
    private final Context context;
    private final int tail;
    private final ReadGoals goals;
    private final Semaphore room = new Semaphore(BATCHES_UNDER_WAY);
    private final Backoff backoff = new Backoff();
    private final Worker worker = new Worker("penstock-kafka-reader", this::run);
    private final Map<TopicPartition, Long> positions = new HashMap<>();
    private @Nullable Map<TopicPartition, Long> target;
    private boolean atTail;
    private boolean saidCaughtUp;
    private boolean handlerFailing;
    private volatile boolean closed;
    private volatile @Nullable KafkaConsumer<String, byte[]> consumer;

    Reader(
            Map<String, Object> settings,
            List<TopicSpec> topics,
            PositionedHandler handler,
            Runnable caughtUp,
            Context context,
            int tail) {
        // What is read back has been published in batches already.
        this.settings = tail > 0 ? settings : ClientSettings.together(settings);
        this.tail = tail;
        this.handler = handler;
        this.caughtUp = caughtUp;
        this.context = context;
        for (TopicSpec topic : topics) {
            this.topics.put(topic.name(), topic);
            for (int i = 0; i < topic.partitions(); i++) {
                (topic.compacted() ? facts : streams).add(new TopicPartition(topic.name(), i));
            }
        }
        goals = new ReadGoals(context, all());
    }

    Worker worker() {
        return worker;
    }

    @Override
    public Future<Void> readToEnd() {
        if (closed) return Future.failedFuture("the subscription is closed");
        Future<Void> reached = goals.ask();
        KafkaConsumer<String, byte[]> current = consumer;
        // polling waits for records for up to 200 ms
        if (current != null) current.wakeup();
        return reached;
    }

    @Override
    public Future<Void> close() {
        Promise<Void> done = Promise.promise();
        askToClose();
        Thread.ofVirtual().start(() -> {
            try {
                worker.join(Duration.ofMillis(1_500));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            context.runOnContext(end -> done.complete());
        });
        return done.future();
    }

    void askToClose() {
        closed = true;
        worker.askToClose();
        KafkaConsumer<String, byte[]> current = consumer;
        if (current != null) current.wakeup();
    }

    private void run() {
        while (!worker.closing()) {
            try (KafkaConsumer<String, byte[]> fresh =
                    new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer())) {
                consumer = fresh;
                begin(fresh);
                loop(fresh);
                fresh.close(CloseOptions.timeout(Duration.ofMillis(200)));
            } catch (InterruptException e) {
                worker.askToClose();
            } catch (KafkaException | InterruptedException e) {
                // an unresolvable broker name, or the end; the monitor tells about the broker
            } finally {
                consumer = null;
            }
            worker.pause(backoff.nextMillis());
        }
    }

    /** A consumer that replaces a broken one goes on where that one was. */
    private void begin(KafkaConsumer<String, byte[]> fresh) {
        fresh.assign(all());
        reset(fresh, all());
        positions.forEach(fresh::seek);
    }

    private List<TopicPartition> all() {
        return Stream.concat(facts.stream(), streams.stream()).toList();
    }

    private void loop(KafkaConsumer<String, byte[]> from) throws InterruptedException {
        while (!worker.closing()) {
            try {
                if (tail > 0 && !atTail) seekTail(from);
                if (!saidCaughtUp && target == null) target = findTarget(from);
                for (Runnable tell : goals.reached(from)) hand(tell);
                ConsumerRecords<String, byte[]> batch = from.poll(POLL);
                if (!batch.isEmpty()) deliver(batch, System.nanoTime());
                if (!saidCaughtUp && target != null && reached(from, target)) sayCaughtUp();
                backoff.reset();
            } catch (InvalidOffsetException e) {
                LOG.atInfo().addKeyValue("partitions", e.partitions()).log("position is gone, starting over");
                reset(from, e.partitions());
            } catch (WakeupException e) {
                // to close, or to look where the topics end: the loop asks again
            } catch (InterruptException e) {
                return;
            } catch (KafkaException e) {
                LOG.debug("polling failed", e);
                worker.pause(backoff.nextMillis());
            }
        }
    }

    private void reset(KafkaConsumer<String, byte[]> from, Collection<TopicPartition> which) {
        List<TopicPartition> first = which.stream().filter(facts::contains).toList();
        List<TopicPartition> last = which.stream().filter(streams::contains).toList();
        // an empty list would mean all
        if (!first.isEmpty()) from.seekToBeginning(first);
        if (!last.isEmpty()) from.seekToEnd(last);
    }

    /** Throws what {@link #loop} tries again after. */
    private void seekTail(KafkaConsumer<String, byte[]> from) {
        Map<TopicPartition, Long> first = from.beginningOffsets(streams, LOOK_UP);
        from.endOffsets(streams, LOOK_UP)
                .forEach((partition, end) ->
                        from.seek(partition, Math.max(first.getOrDefault(partition, 0L), end - tail)));
        atTail = true;
    }

    private @Nullable Map<TopicPartition, Long> findTarget(KafkaConsumer<String, byte[]> from) {
        try {
            if (facts.isEmpty()) return tail == 0 ? Map.of() : from.endOffsets(streams, LOOK_UP);
            return from.endOffsets(facts, LOOK_UP);
        } catch (org.apache.kafka.common.errors.TimeoutException notYet) {
            return null;
        }
    }

    private boolean reached(KafkaConsumer<String, byte[]> from, Map<TopicPartition, Long> goal) {
        try {
            for (TopicPartition partition : facts.isEmpty() ? streams : facts) {
                long position = from.position(partition, LOOK_UP);
                if (position < goal.getOrDefault(partition, 0L)) return false;
            }
            return true;
        } catch (org.apache.kafka.common.errors.TimeoutException notYet) {
            return false;
        }
    }

    private void sayCaughtUp() throws InterruptedException {
        saidCaughtUp = true;
        hand(caughtUp);
    }

    private void deliver(ConsumerRecords<String, byte[]> batch, long receiveNanos) throws InterruptedException {
        hand(() -> {
            for (ConsumerRecord<String, byte[]> record : batch) pass(record, receiveNanos);
        });
        batch.nextOffsets().forEach((partition, next) -> positions.put(partition, next.offset()));
    }

    private void hand(Runnable work) throws InterruptedException {
        while (!room.tryAcquire(100, TimeUnit.MILLISECONDS)) {
            if (worker.closing()) return;
        }
        context.runOnContext(batch -> {
            try {
                if (!closed) work.run();
            } finally {
                room.release();
            }
        });
    }

    /** On the subscriber's context. A record that breaks its handler must not take the others along. */
    private void pass(ConsumerRecord<String, byte[]> record, long receiveNanos) {
        TopicSpec topic = topics.get(record.topic());
        if (topic == null || closed) return;
        try {
            String key = record.key();
            handler.record(topic, key == null ? "" : key, record.value(), record.offset(), receiveNanos);
            handlerFailing = false;
        } catch (RuntimeException failure) {
            if (!handlerFailing) {
                LOG.atError()
                        .setCause(failure)
                        .addKeyValue("topic", record.topic())
                        .log("a record was not understood");
            }
            handlerFailing = true;
        }
    }
}
