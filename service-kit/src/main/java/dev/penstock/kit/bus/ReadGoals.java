package dev.penstock.kit.bus;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Who waits until all has been read that had been stored when they asked. Any thread asks; the rest is the reader's thread's.
 *
 * <p>A goal is reached by the consumer's position, not by a record's offset: the last offsets may be a transaction's marker, or
 * have been compacted away, and then no record ever has them.
 */
final class ReadGoals {
    private static final Duration LOOK_UP = Duration.ofMillis(500);

    private final Context context;
    private final Collection<TopicPartition> partitions;
    private final Queue<Promise<Void>> asked = new ConcurrentLinkedQueue<>();
    private final List<Goal> sought = new ArrayList<>();

    private record Goal(List<Promise<Void>> promises, Map<TopicPartition, Long> ends) {
        void complete() {
            promises.forEach(Promise::tryComplete);
        }

        boolean given() {
            return promises.stream().allMatch(promise -> promise.future().isComplete());
        }
    }

    ReadGoals(Context context, Collection<TopicPartition> partitions) {
        this.context = context;
        this.partitions = partitions;
    }

    Future<Void> ask() {
        Promise<Void> promise = Promise.promise();
        asked.add(promise);
        context.runOnContext(begin -> {
            long timer = context.owner()
                    .setTimer(
                            Subscription.END.toMillis(),
                            late -> promise.tryFail("not read to the end within " + Subscription.END.toMillis()
                                    + " ms: Kafka is away, or there is too much"));
            promise.future().onComplete(done -> context.owner().cancelTimer(timer));
        });
        return promise.future();
    }

    /** What tells those who have all they waited for; it runs after the records that were handed over before. */
    List<Runnable> reached(Consumer<?, ?> from) {
        if (asked.isEmpty() && sought.isEmpty()) return List.of();
        sought.removeIf(Goal::given);
        List<Goal> reached = new ArrayList<>();
        try {
            if (!asked.isEmpty()) seek(from);
            for (Goal goal : sought) if (standsAt(from, goal.ends())) reached.add(goal);
        } catch (TimeoutException notYet) {
            return List.of();
        }
        sought.removeAll(reached);
        return reached.stream().<Runnable>map(goal -> goal::complete).toList();
    }

    /** Whoever asks while the ends are on their way waits for later ones. */
    private void seek(Consumer<?, ?> from) {
        List<Promise<Void>> promises = new ArrayList<>();
        for (Promise<Void> next = asked.poll(); next != null; next = asked.poll()) promises.add(next);
        boolean known = false;
        try {
            Map<TopicPartition, Long> ends = from.endOffsets(partitions, LOOK_UP);
            known = !standsBeyond(from, ends);
            if (known) sought.add(new Goal(promises, ends));
        } finally {
            if (!known) {
                promises.removeIf(promise -> promise.future().isComplete());
                asked.addAll(promises);
            }
        }
    }

    /** Where nothing is: the topic was made anew, and polling finds that out. */
    private boolean standsBeyond(Consumer<?, ?> from, Map<TopicPartition, Long> ends) {
        for (TopicPartition partition : partitions) {
            if (from.position(partition, LOOK_UP) > ends.getOrDefault(partition, 0L)) return true;
        }
        return false;
    }

    private boolean standsAt(Consumer<?, ?> from, Map<TopicPartition, Long> ends) {
        for (TopicPartition partition : partitions) {
            if (from.position(partition, LOOK_UP) < ends.getOrDefault(partition, 0L)) return false;
        }
        return true;
    }
}
