package dev.penstock.kit.membership;

import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.config.RedisConfig;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.kit.run.PeriodicTask;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Beats (unless it only observes), and knows who else does. A member is live for three beats. While Redis is lost the list stays as it was; when
 * it comes back, possibly empty, nobody is struck off before three beats have passed.
 *
 * <p>One request at a time on one connection, and a connection that was silent once is thrown away: a frozen Redis costs
 * one socket per attempt and no queue. Written on the context that started it; any thread may read.
 */
public final class Membership {
    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
    private static final long PATIENCE_MILLIS = 500;
    private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(2).toNanos();
    private static final int BEATS_TO_LIVE = 3;
    private static final double JITTER = 0.1;

    private final Vertx vertx;
    private final Context context;
    private final RedisOptions options;
    private final String service;
    private final @Nullable String memberId;
    private final Duration beat;
    private final Duration live;
    private @Nullable PeriodicTask task;
    private @Nullable Redis client;
    private @Nullable RedisConnection connection;
    private long pauseNanos;
    private long retryAt = System.nanoTime();
    private long strikeAt = System.nanoTime();
    private boolean everConnected;
    private boolean reportedLost;
    private boolean closed;
    private volatile boolean connected;
    private volatile List<String> members = List.of();

    private Membership(Vertx vertx, RedisConfig redis, String service, @Nullable String memberId, Duration beat) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.service = service;
        this.memberId = memberId;
        this.beat = beat;
        this.live = beat.multipliedBy(BEATS_TO_LIVE);
        // the idle limit ends sockets whose handshake was never answered
        int idleMillis = (int) Math.max(3_000, live.toMillis());
        this.options = new RedisOptions()
                .setConnectionString(redis.url())
                .setMaxPoolSize(1)
                .setMaxPoolWaiting(1)
                .setPoolName("penstock-members")
                .setNetClientOptions(new NetClientOptions()
                        .setConnectTimeout((int) PATIENCE_MILLIS)
                        .setTcpNoDelay(true)
                        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                        .setIdleTimeout(idleMillis));
    }

    public static Membership start(Vertx vertx, RedisConfig redis, String service, Incarnation self, Duration beat) {
        return begun(new Membership(vertx, redis, service, self.memberId(), beat));
    }

    /** Knows who is a member without being one. */
    public static Membership observe(Vertx vertx, RedisConfig redis, String service, Duration beat) {
        return begun(new Membership(vertx, redis, service, null, beat));
    }

    private static Membership begun(Membership membership) {
        membership.context.runOnContext(start -> membership.begin());
        return membership;
    }

    /** Member ids, sorted; as last known. */
    public List<String> live() {
        return members;
    }

    /** How long a member that does not beat is still in the list. */
    public Duration liveWindow() {
        return live;
    }

    public boolean connected() {
        return connected;
    }

    /** Leaves, so that the others need not wait for the beats to be missed. */
    public Future<Void> close() {
        Promise<Void> done = Promise.promise();
        context.runOnContext(end -> leave().onComplete(left -> {
            drop();
            done.complete();
        }));
        return done.future();
    }

    private void begin() {
        if (closed) return;
        task = PeriodicTask.start(vertx, "members of " + service, beat, JITTER, this::beat);
    }

    /** Never fails: losing Redis is a state of this object, not an error of its timer. */
    private Future<?> beat() {
        if (closed || System.nanoTime() - retryAt < 0) return Future.succeededFuture();
        return send(Beat.of(service, memberId, live))
                .onSuccess(answer -> beaten(Beat.members(answer)))
                .otherwise(failure -> {
                    lost(failure);
                    return null;
                });
    }

    private Future<Response> send(Request request) {
        return connect().compose(link -> link.send(request)).timeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private Future<RedisConnection> connect() {
        RedisConnection current = connection;
        if (current != null) return Future.succeededFuture(current);
        Redis fresh = Redis.createClient(vertx, options);
        client = fresh;
        return fresh.connect().onSuccess(link -> {
            // A connection that breaks is found out by the next beat; without a handler each one is logged as an error.
            link.exceptionHandler(broken -> LOG.trace("Redis connection broke", broken));
            if (client == fresh) connection = link;
            else link.close();
        });
    }

    private void beaten(List<String> seen) {
        if (closed) return;
        pauseNanos = 0;
        if (!connected) {
            connected = true;
            reportedLost = false;
            if (everConnected) strikeAt = System.nanoTime() + live.toNanos();
            everConnected = true;
            LOG.atInfo()
                    .addKeyValue(LogKeys.GROUP, service)
                    .addKeyValue(LogKeys.OLD, "lost")
                    .addKeyValue(LogKeys.NEW, "connected")
                    .log("Redis answers");
        }
        set(System.nanoTime() - strikeAt < 0 ? union(members, seen) : seen);
    }

    private void set(List<String> next) {
        if (next.equals(members)) return;
        LOG.atInfo()
                .addKeyValue(LogKeys.GROUP, service)
                .addKeyValue(LogKeys.OLD, members)
                .addKeyValue(LogKeys.NEW, next)
                .log("members");
        members = next;
    }

    private void lost(Throwable failure) {
        drop();
        pauseNanos = Math.clamp(pauseNanos * 2, beat.toNanos(), Math.max(LONGEST_PAUSE_NANOS, beat.toNanos()));
        retryAt = System.nanoTime() + pauseNanos;
        if (reportedLost) return;
        reportedLost = true;
        LOG.atInfo()
                .addKeyValue(LogKeys.GROUP, service)
                .addKeyValue(LogKeys.OLD, connected ? "connected" : "unknown")
                .addKeyValue(LogKeys.NEW, "lost")
                .addKeyValue(LogKeys.REASON, failure.toString())
                .log("Redis does not answer, members stay as they were");
        connected = false;
    }

    private Future<?> leave() {
        closed = true;
        if (task != null) task.close();
        RedisConnection link = connection;
        if (link == null || memberId == null) return Future.succeededFuture();
        return link.send(Beat.leave(service, memberId)).timeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void drop() {
        Redis old = client;
        RedisConnection link = connection;
        client = null;
        connection = null;
        if (link != null) link.close();
        if (old != null) old.close();
    }

    private static List<String> union(List<String> known, List<String> seen) {
        TreeSet<String> all = new TreeSet<>(known);
        all.addAll(seen);
        return List.copyOf(all);
    }
}
