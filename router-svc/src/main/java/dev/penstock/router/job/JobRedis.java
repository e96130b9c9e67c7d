package dev.penstock.router.job;

import dev.penstock.kit.config.RedisConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.ErrorType;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to Redis that is thrown away when an answer is late, and made again by who asks next, once a second at most:
 * who asks while Redis is lost is told so at once. Used on one context.
 */
final class JobRedis {
    private static final Logger LOG = LoggerFactory.getLogger(JobRedis.class);
    private static final long PATIENCE_MILLIS = 1_000;
    private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int MOST_WAITING = 1_024;

    private final Vertx vertx;
    private final RedisOptions options;
    private final LongSupplier nanoClock;
    private @Nullable Redis client;
    private @Nullable Future<RedisConnection> connection;
    private long retryAtNanos;
    private int waiting;
    private boolean closed;

    JobRedis(Vertx vertx, RedisConfig redis, LongSupplier nanoClock) {
        this.vertx = vertx;
        this.nanoClock = nanoClock;
        this.retryAtNanos = nanoClock.getAsLong();
        this.options = new RedisOptions()
                .setConnectionString(redis.url())
                .setMaxPoolSize(1)
                .setMaxPoolWaiting(1)
                .setPoolName("penstock-jobs")
                .setNetClientOptions(new NetClientOptions()
                        .setConnectTimeout((int) PATIENCE_MILLIS)
                        .setTcpNoDelay(true));
    }

    /** Fails within a second, at once where Redis is known to be lost. */
    Future<@Nullable Response> send(Request request) {
        if (closed) return Future.failedFuture("closed");
        if (waiting == MOST_WAITING) return Future.failedFuture("too many wait for Redis");
        Future<RedisConnection> link = connection();
        waiting++;
        return link.compose(to -> to.send(request))
                .timeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                .onComplete(answer -> {
                    waiting--;
                    // What Redis says no to, it has heard.
                    if (answer.failed() && !(answer.cause() instanceof ErrorType) && connection == link) drop();
                });
    }

    void close() {
        closed = true;
        drop();
    }

    private Future<RedisConnection> connection() {
        Future<RedisConnection> current = connection;
        if (current != null) return current;
        if (nanoClock.getAsLong() - retryAtNanos < 0) return Future.failedFuture("Redis is lost");
        Redis fresh = Redis.createClient(vertx, options);
        client = fresh;
        Future<RedisConnection> made = fresh.connect().onSuccess(link -> {
            // A connection that breaks is found out by who asks next; without a handler each is logged as an error.
            link.exceptionHandler(broken -> LOG.trace("Redis connection broke", broken));
            // Not from within: the client is not done with the connection yet.
            link.endHandler(end -> vertx.runOnContext(later -> {
                if (client == fresh) drop();
            }));
        });
        connection = made;
        return made;
    }

    private void drop() {
        Redis old = client;
        Future<RedisConnection> link = connection;
        client = null;
        connection = null;
        retryAtNanos = nanoClock.getAsLong() + PAUSE_NANOS;
        if (link != null) link.onSuccess(RedisConnection::close);
        if (old != null) old.close();
    }
}
