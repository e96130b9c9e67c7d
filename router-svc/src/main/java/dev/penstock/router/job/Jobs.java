package dev.penstock.router.job;

import dev.penstock.kit.config.RedisConfig;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What the event loops share of it: the keys, the index, the counts. */
public final class Jobs {
    private final Vertx vertx;
    private final Context context;
    private final JobRedis redis;
    private final JobKeys keys;
    private final JobIndex index;
    private final JobCounters counters;
    private final @Nullable SharedJobKey shared;

    /** @param key of all routers; null = they agree on one by Redis */
    public Jobs(Vertx vertx, RedisConfig redis, byte @Nullable [] key, JobCounters counters, LongSupplier nanoClock) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.redis = new JobRedis(vertx, redis, nanoClock);
        this.keys = new JobKeys(key == null ? random() : key);
        this.index = new JobIndex(context, this.redis, counters);
        this.counters = counters;
        this.shared = key == null ? new SharedJobKey(this.redis, keys) : null;
    }

    /** Of a router that serves nobody but itself, and makes no jobs: its Redis is never asked. */
    public static Jobs alone(Vertx vertx, JobCounters counters, LongSupplier nanoClock) {
        return new Jobs(vertx, new RedisConfig("redis://127.0.0.1:6379"), random(), counters, nanoClock);
    }

    /** Done, and never failed, once ids can be given that others will know, or that is given up for now. */
    public Future<Void> start() {
        SharedJobKey agreement = shared;
        if (agreement == null) return Future.succeededFuture();
        Promise<Void> done = Promise.promise();
        context.runOnContext(begin -> agreement.start(vertx).onComplete(done));
        return done.future();
    }

    /** A key of one's own. */
    private static byte[] random() {
        byte[] key = new byte[JobKeys.LEAST_BYTES];
        new SecureRandom().nextBytes(key);
        return key;
    }

    /** For one event loop. */
    public JobIds ids() {
        return new JobIds(keys);
    }

    public JobIndex index() {
        return index;
    }

    public JobCounters counters() {
        return counters;
    }

    public Future<Void> close() {
        Promise<Void> done = Promise.promise();
        context.runOnContext(end -> {
            if (shared != null) shared.close();
            redis.close();
            done.complete();
        });
        return done.future();
    }
}
