package dev.penstock.router.session;

import dev.penstock.model.RedisKeys;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection that asks and one that is told, thrown away together. It is up once it has heard itself: a subscription that
 * was confirmed and is not served looks the same as one to which nobody has anything to say.
 */
final class PinLink {
    private static final int BEATS_MISSED = 3;

    /** What the link does to its owner; all on the owner's context. */
    interface Events {
        void up(PinLink link);

        void lost(PinLink link, Throwable reason);

        void told(long key, PinValue value);
    }

    private final Redis client;
    private final String beatChannel;
    private final long patienceMillis;
    private final Events events;
    private @Nullable RedisConnection commands;
    private @Nullable RedisConnection subscriber;
    private int unheard;
    private boolean up;
    private boolean closed;

    PinLink(Vertx vertx, RedisOptions options, String subscriberName, long patienceMillis, Events events) {
        this.client = Redis.createClient(vertx, options);
        this.beatChannel = RedisKeys.beat(subscriberName);
        this.patienceMillis = patienceMillis;
        this.events = events;
    }

    Future<?> open() {
        return connection(link -> commands = link)
                .compose(asks -> connection(link -> subscriber = link))
                .compose(this::subscribe)
                .compose(subscribed -> beat())
                .onFailure(this::lost);
    }

    /** Says something to itself; too much unheard, and the link is lost. */
    Future<?> beat() {
        if (unheard >= BEATS_MISSED) {
            lost(new IllegalStateException("its own messages do not come back"));
            return Future.succeededFuture();
        }
        unheard++;
        return send(Request.cmd(Command.PUBLISH).arg(beatChannel).arg("")).onFailure(this::lost);
    }

    Future<Response> send(Request request) {
        RedisConnection link = commands;
        if (link == null || closed) return Future.failedFuture("not connected");
        return link.send(request).timeout(patienceMillis, TimeUnit.MILLISECONDS);
    }

    @Nullable
    RedisConnection commands() {
        return commands;
    }

    boolean isUp() {
        return up && !closed;
    }

    void close() {
        if (closed) return;
        closed = true;
        if (subscriber != null) subscriber.close();
        if (commands != null) commands.close();
        client.close();
    }

    void lost(Throwable reason) {
        if (closed) return;
        close();
        events.lost(this, reason);
    }

    private Future<RedisConnection> connection(Consumer<RedisConnection> keep) {
        return client.connect().timeout(patienceMillis, TimeUnit.MILLISECONDS).map(link -> {
            if (closed) {
                link.close();
                throw new IllegalStateException("closed");
            }
            keep.accept(link);
            link.exceptionHandler(this::lost);
            link.endHandler(end -> lost(new IllegalStateException("connection closed")));
            return link;
        });
    }

    private Future<Response> subscribe(RedisConnection link) {
        link.handler(this::message);
        Request subscribe =
                Request.cmd(Command.SUBSCRIBE).arg(RedisKeys.PINS_CHANNEL).arg(beatChannel);
        return link.send(subscribe).timeout(patienceMillis, TimeUnit.MILLISECONDS);
    }

    /** {@code [message, channel, text]}, or a confirmation. */
    private void message(@Nullable Response response) {
        if (closed || response == null || response.size() != 3) return;
        if (!response.get(0).toString().equals("message")) return;
        String channel = response.get(1).toString();
        if (channel.equals(beatChannel)) {
            heard();
        } else if (channel.equals(RedisKeys.PINS_CHANNEL)) {
            PinValue.Told told = PinValue.parseMessage(response.get(2).toString());
            if (told != null) events.told(told.key(), told.value());
        }
    }

    private void heard() {
        unheard = 0;
        if (up) return;
        up = true;
        events.up(this);
    }
}
