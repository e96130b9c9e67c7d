package dev.penstock.router.session;

import dev.penstock.core.session.PinStore;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.config.RedisConfig;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.kit.run.PeriodicTask;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.ErrorType;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fleet's pins in Redis. Every router is told of each pin as it is set; nobody asks for one. A router subscribes first
 * and then reads what there is, in the background, and does so again whenever it was cut off.
 *
 * <p>While Redis is lost proposals wait, one per session, at most {@value #MOST_WAITING}, the oldest given up; they are told
 * when it is back, each still only from the owner it knew. Written on the context that made it; {@link #propose} may be
 * called by any thread and does not wait.
 */
public final class RedisPins implements PinStore {
    private static final Logger LOG = LoggerFactory.getLogger(RedisPins.class);
    private static final int MOST_WAITING = 65_536;
    /** Handed over by other threads and not yet seen by this one's. */
    private static final int MOST_HANDED_OVER = 10_000;

    private static final int MOST_ASKED = 64;
    private static final long PATIENCE_MILLIS = 1_000;
    private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(2).toNanos();
    private static final double JITTER = 0.1;

    private final Vertx vertx;
    private final Context context;
    private final RedisOptions options;
    private final String name;
    private final int mostPins;
    private final Duration ttl;
    private final Duration beat;
    private final PinCounters counters;
    private final Proposals waiting = new Proposals(MOST_WAITING);
    private final AtomicInteger handedOver = new AtomicInteger();
    private final PinLink.Events events = new PinLink.Events() {
        @Override
        public void up(PinLink link) {
            linkUp(link);
        }

        @Override
        public void lost(PinLink link, Throwable reason) {
            linkLost(link, reason);
        }

        @Override
        public void told(long key, PinValue value) {
            tell(key, value);
        }
    };

    private @Nullable Listener listener;
    private @Nullable PeriodicTask task;
    private @Nullable PinLink link;
    private int asked;
    private long pauseNanos;
    private long retryAt = System.nanoTime();
    private boolean reportedLost;
    private boolean reportedRefusal;
    private boolean closed;
    private volatile boolean connected;

    /**
     * @param mostPins read from Redis at most: the size of the table they go to
     * @param ttl for which Redis keeps a pin that nobody renews
     * @param beat how often it is seen whether Redis still tells
     */
    public RedisPins(
            Vertx vertx,
            RedisConfig redis,
            Incarnation self,
            int mostPins,
            Duration ttl,
            Duration beat,
            PinCounters counters) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.name = self.memberId();
        this.mostPins = mostPins;
        this.ttl = ttl;
        this.beat = beat;
        this.counters = counters;
        this.options = new RedisOptions()
                .setConnectionString(redis.url())
                .setMaxPoolSize(2)
                .setMaxPoolWaiting(2)
                .setPoolName("penstock-pins")
                .setNetClientOptions(new NetClientOptions()
                        .setConnectTimeout((int) PATIENCE_MILLIS)
                        .setTcpNoDelay(true)
                        // both connections hear something each beat; the limit ends handshakes that are never answered
                        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                        .setIdleTimeout((int) Math.max(3_000, 4 * beat.toMillis())));
        counters.connectedBy(this);
    }

    /** Connects in the background, and again whenever Redis is lost. */
    public void start(Listener told) {
        context.runOnContext(begin -> {
            if (closed || task != null) return;
            listener = told;
            task = PeriodicTask.start(vertx, "session pins", beat, JITTER, this::tick);
        });
    }

    @Override
    public void propose(String model, long key, int oldOwner, int newOwner, int version) {
        if (handedOver.incrementAndGet() > MOST_HANDED_OVER) {
            handedOver.decrementAndGet();
            counters.dropped.increment();
            return;
        }
        Proposal proposal = new Proposal(model, key, oldOwner, newOwner, version);
        context.runOnContext(take -> {
            handedOver.decrementAndGet();
            if (closed) return;
            counters.dropped.increment(waiting.add(proposal));
            ask();
        });
    }

    /** Whether Redis tells this router of pins now. */
    public boolean connected() {
        return connected;
    }

    /** What still waits is given up. */
    public Future<Void> close() {
        Promise<Void> done = Promise.promise();
        context.runOnContext(end -> {
            closed = true;
            connected = false;
            if (task != null) task.close();
            if (link != null) link.close();
            link = null;
            done.complete();
        });
        return done.future();
    }

    /** Never fails: losing Redis is a state of this object, not an error of its timer. */
    private Future<?> tick() {
        PinLink current = link;
        if (closed) return Future.succeededFuture();
        if (current != null) return current.beat().otherwiseEmpty();
        if (System.nanoTime() - retryAt < 0) return Future.succeededFuture();
        PinLink fresh = new PinLink(vertx, options, name, PATIENCE_MILLIS, events);
        link = fresh;
        return fresh.open().otherwiseEmpty();
    }

    private void linkUp(PinLink up) {
        if (up != link || closed) return;
        pauseNanos = 0;
        reportedLost = false;
        connected = true;
        report("lost", "connected", "Redis tells session pins");
        if (listener != null) listener.regained();
        load(up);
        ask();
    }

    private void load(PinLink from) {
        RedisConnection connection = from.commands();
        if (connection == null || listener == null) return;
        new PinLoad(connection, listener, mostPins, PATIENCE_MILLIS)
                .run()
                .onSuccess(
                        count -> LOG.atInfo().addKeyValue(LogKeys.COUNT, count).log("session pins read"))
                .onFailure(from::lost);
    }

    private void ask() {
        PinLink to = link;
        if (to == null || !to.isUp()) return;
        while (asked < MOST_ASKED) {
            Proposal proposal = waiting.take();
            if (proposal == null) return;
            asked++;
            to.send(PinScript.of(proposal, ttl)).onComplete(answer -> {
                asked--;
                if (answer.succeeded()) answered(proposal, answer.result());
                else unanswered(to, proposal, answer.cause());
                ask();
            });
        }
    }

    private void answered(Proposal proposal, @Nullable Response response) {
        PinValue value = PinScript.answer(response);
        if (value == null) {
            counters.dropped.increment();
            return;
        }
        reportedRefusal = false;
        (value.owner() == proposal.newOwner() ? counters.accepted : counters.overtaken).increment();
        tell(proposal.key(), value);
    }

    /** A refusal would be refused again; what was not answered may be asked again, since it compares. */
    private void unanswered(PinLink by, Proposal proposal, Throwable failure) {
        if (closed) return;
        if (failure instanceof ErrorType) {
            counters.dropped.increment();
            if (!reportedRefusal) {
                LOG.atWarn().addKeyValue(LogKeys.ERROR, failure.toString()).log("Redis refuses session pins");
            }
            reportedRefusal = true;
            return;
        }
        counters.dropped.increment(waiting.putBack(proposal));
        by.lost(failure);
    }

    private void tell(long key, PinValue value) {
        if (!closed && listener != null) listener.told(key, value.owner(), value.version());
    }

    private void linkLost(PinLink lost, Throwable reason) {
        if (lost != link) return;
        link = null;
        pauseNanos = Math.clamp(pauseNanos * 2, beat.toNanos(), Math.max(LONGEST_PAUSE_NANOS, beat.toNanos()));
        retryAt = System.nanoTime() + pauseNanos;
        if (reportedLost || closed) return;
        reportedLost = true;
        report(connected ? "connected" : "unknown", "lost", "session pins stay as this router knows them: " + reason);
        connected = false;
    }

    private static void report(String old, String now, String text) {
        LOG.atInfo().addKeyValue(LogKeys.OLD, old).addKeyValue(LogKeys.NEW, now).log(text);
    }
}
