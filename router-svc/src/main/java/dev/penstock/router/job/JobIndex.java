package dev.penstock.router.job;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What tenants have made, for listing and for nothing else: a job that is not in it is as good as one that is. Written off the
 * requests' way; what can't be written is counted and given up. Any thread may call; works on its own context.
 */
public final class JobIndex {
    private static final int MOST_HANDED_OVER = 1_024;

    private final Context context;
    private final JobRedis redis;
    private final JobCounters counters;
    private final AtomicInteger handedOver = new AtomicInteger();

    JobIndex(Context context, JobRedis redis, JobCounters counters) {
        this.context = context;
        this.redis = redis;
        this.counters = counters;
    }

    /**
     * What was found.
     *
     * @param entries what is known of each, in JSON
     * @param hasMore there are others behind them
     */
    record Found(List<String> ids, List<String> entries, boolean hasMore) {}

    /**
     * A job was made.
     *
     * @param answer that told so, with our id
     */
    void created(String tenant, Buffer answer) {
        write(() -> {
            JobEntry entry = JobEntry.of(answer.getBytes());
            return entry == null ? null : JobIndexScript.add(tenant, entry);
        });
    }

    void deleted(String tenant, String id) {
        write(() -> JobIndexScript.remove(tenant, id));
    }

    /**
     * Null where {@code after} is in no index; fails when Redis does not answer.
     *
     * @param after an id, or empty for the first
     */
    Future<@Nullable Found> list(String tenant, String after, int most, boolean rising) {
        Promise<@Nullable Found> found = Promise.promise();
        context.runOnContext(ask -> redis.send(JobIndexScript.list(tenant, after, most + 1, rising))
                .map(answer -> found(answer, most))
                .onComplete(found));
        return found.future();
    }

    private static @Nullable Found found(@Nullable Response answer, int most) {
        if (answer == null) return null;
        List<String> ids = new ArrayList<>();
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < Math.min(most, answer.get(0).size()); i++) {
            Response entry = answer.get(1).get(i);
            if (entry == null) continue;
            ids.add(answer.get(0).get(i).toString());
            entries.add(entry.toString());
        }
        return new Found(ids, entries, answer.get(0).size() > most);
    }

    /** Nobody waits for it. */
    private void write(Supplier<@Nullable Request> request) {
        if (handedOver.incrementAndGet() > MOST_HANDED_OVER) {
            handedOver.decrementAndGet();
            counters.indexed(false);
            return;
        }
        context.runOnContext(take -> {
            handedOver.decrementAndGet();
            Request made = request.get();
            if (made != null) redis.send(made).onComplete(answer -> counters.indexed(answer.succeeded()));
        });
    }
}
