package dev.penstock.router.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.session.SessionBook;
import dev.penstock.core.session.SessionKey;
import dev.penstock.core.session.SessionPins;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.config.RedisConfig;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.infra.EmbeddedRedis;
import dev.penstock.testkit.infra.TcpFaultProxy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Routers and a real Redis, each router behind a wire of its own. */
class RedisPinsTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int NOBODY = SessionPins.NOBODY;
    private static final String MODEL = "org/m";

    private final Vertx vertx = Vertx.vertx();
    private final EmbeddedRedis redis = EmbeddedRedis.start(0);
    private final List<Router> routers = new ArrayList<>();
    private final long key = SessionKey.of(MODEL, "alice@example.org");

    @AfterEach
    void close() {
        for (Router router : routers) router.close();
        join(vertx.close());
        redis.close();
    }

    @Test
    void pin_of_one_router_is_known_to_all() {
        Router one = connected("one");
        Router two = connected("two");

        one.route(key, 3);

        two.knows(key, 3);
        assertThat(one.accepted()).isEqualTo(1);
    }

    @Test
    void first_of_two_wins_and_the_other_takes_its_owner_over() {
        Router one = connected("one");
        Router two = connected("two");
        one.proxy.delay(Duration.ofMillis(50));
        two.proxy.delay(Duration.ofMillis(50));

        for (int session = 1; session <= 200; session++) {
            one.route(SessionKey.of(MODEL, "s" + session), 3);
            two.route(SessionKey.of(MODEL, "s" + session), 4);
        }

        Await.until("each accepted once", SOON, () -> one.accepted() + two.accepted() == 200);
        assertThat(two.overtaken() + one.overtaken()).isPositive();
        for (int session = 1; session <= 200; session++) {
            long each = SessionKey.of(MODEL, "s" + session);
            int owner = one.owner(each);
            Await.until("same owner", SOON, () -> two.owner(each) == one.owner(each));
            assertThat(owner).isIn(3, 4);
        }
    }

    @Test
    void lost_owner_is_left_once() {
        Router one = connected("one");
        Router two = connected("two");
        one.route(key, 3);
        two.knows(key, 3);
        one.settle(1);

        one.move(key, 3, 4);
        two.move(key, 3, 5);

        // Whoever hears of the other's move before its own proposes nothing.
        one.settle(2);
        Await.until("same owner", SOON, () -> one.owner(key) == two.owner(key));
        assertThat(one.owner(key)).isIn(4, 5);
        assertThat(value(key)).isEqualTo(one.owner(key) + ":2");
    }

    @Test
    void starting_router_reads_what_there_is() {
        Router one = connected("one");
        for (int session = 1; session <= 3_000; session++) one.route(SessionKey.of(MODEL, "s" + session), session);
        one.settle(3_000);

        Router late = connected("late");

        late.knows(SessionKey.of(MODEL, "s1"), 1);
        Await.until("all read", SOON, () -> late.pins.count(0) == 3_000);
    }

    @Test
    void no_client_word_is_in_redis_and_keys_live_an_hour() {
        Router one = connected("one");
        for (String name : List.of("bob", "你", "x".repeat(300), "a\r\nb")) one.route(SessionKey.of(MODEL, name), 3);
        one.settle(4);

        List<String> keys = new ArrayList<>();
        for (Response each : send(Request.cmd(Command.KEYS).arg("*"))) keys.add(each.toString());

        assertThat(keys).hasSize(4).allMatch(each -> each.matches("penstock:pin:org/m:[0-9a-f]{16}"));
        assertThat(send(Request.cmd(Command.PTTL).arg(keys.getFirst())).toLong())
                .isBetween(3_590_000L, 3_600_000L);
    }

    @Test
    void without_redis_the_router_goes_by_its_own_and_tells_later() {
        Router one = connected("one");
        Router two = connected("two");
        one.route(key, 3);
        two.knows(key, 3);
        one.settle(1);
        one.proxy.refuse();
        Await.until("one is cut off", SOON, () -> !one.store.connected());

        one.move(key, 3, 4);
        two.route(SessionKey.of(MODEL, "missed"), 9);
        two.settle(1);
        assertThat(one.owner(key)).isEqualTo(4);
        one.proxy.pass();

        two.knows(key, 4);
        one.knows(SessionKey.of(MODEL, "missed"), 9);
    }

    @Test
    void move_made_while_cut_off_yields_to_one_that_the_fleet_made() {
        Router one = connected("one");
        Router two = connected("two");
        one.route(key, 3);
        two.knows(key, 3);
        one.settle(1);
        one.proxy.refuse();
        Await.until("one is cut off", SOON, () -> !one.store.connected());
        one.move(key, 3, 4);
        two.move(key, 3, 5);
        two.settle(1);

        one.proxy.pass();

        one.knows(key, 5);
        assertThat(two.owner(key)).isEqualTo(5);
        assertThat(value(key)).isEqualTo("5:2");
    }

    @Test
    void frozen_redis_is_noticed_and_left() {
        Router one = connected("one");

        one.proxy.freeze();
        Await.until("one is cut off", SOON, () -> !one.store.connected());
        one.route(key, 3);
        assertThat(one.proxy.connections()).isLessThanOrEqualTo(8);
        one.proxy.pass();

        Await.until("told", SOON, () -> "3:1".equals(value(key)));
    }

    @Test
    void redis_that_lost_everything_is_told_again() {
        Router one = connected("one");
        Router two = connected("two");
        one.route(key, 3);
        two.knows(key, 3);
        one.move(key, 3, 4);
        two.knows(key, 4);
        redis.stop();
        Await.until("cut off", SOON, () -> !one.store.connected() && !two.store.connected());

        redis.start();
        Await.until("back", SOON, () -> one.store.connected() && two.store.connected());
        assertThat(value(key)).isNull();
        two.route(key, 4);

        Await.until("told", SOON, () -> "4:3".equals(value(key)));
        Router late = connected("late");
        late.knows(key, 4);
        assertThat(one.owner(key)).isEqualTo(4);
    }

    @Test
    void starts_without_redis() {
        redis.stop();
        Router one = new Router("one");
        one.route(key, 3);

        redis.start();

        Await.until("told", SOON, () -> "3:1".equals(value(key)));
    }

    @Test
    void keys_of_others_are_left_alone() {
        send(Request.cmd(Command.SET)
                .arg("penstock:pin:org/m:" + SessionKey.hex(key))
                .arg("not a pin"));
        send(Request.cmd(Command.SET).arg("penstock:pin:x").arg("3:1"));
        Router one = connected("one");

        one.route(key, 3);

        Await.until("told", SOON, () -> "3:1".equals(value(key)));
        assertThat(one.pins.count(0)).isEqualTo(1);
    }

    private Router connected(String name) {
        Router router = new Router(name);
        Await.until(name + " connects", SOON, router.store::connected);
        return router;
    }

    private @Nullable String value(long session) {
        Response value = send(Request.cmd(Command.GET).arg("penstock:pin:org/m:" + SessionKey.hex(session)));
        return value == null ? null : value.toString();
    }

    private Response send(Request request) {
        Redis client = Redis.createClient(vertx, redis.url());
        try {
            return join(client.send(request));
        } finally {
            client.close();
        }
    }

    private static <T> T join(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }

    private final class Router {
        final TcpFaultProxy proxy = TcpFaultProxy.start(0, "127.0.0.1", redis.port());
        final SessionPins pins = new SessionPins(100_000, HOUR.toNanos());
        final SimpleMeterRegistry meters = new SimpleMeterRegistry();
        final RedisPins store;
        final SessionBook book;

        Router(String name) {
            store = new RedisPins(
                    vertx,
                    new RedisConfig("redis://" + proxy.address()),
                    new Incarnation(name, 1),
                    100_000,
                    HOUR,
                    Duration.ofMillis(100),
                    new PinCounters(meters, pins, () -> 0));
            book = new SessionBook(pins, store, () -> 0);
            routers.add(this);
            store.start(book);
        }

        /** As a request does whose decision follows the pin, or goes to {@code replica} if there is none. */
        void route(long session, int replica) {
            int pinned = book.owner(session, 0);
            book.routed(MODEL, session, pinned, pinned == NOBODY ? replica : pinned, 0);
        }

        void move(long session, int from, int to) {
            book.routed(MODEL, session, from, to, 0);
        }

        int owner(long session) {
            return book.owner(session, 0);
        }

        void knows(long session, int owner) {
            Await.until("owner " + owner, SOON, () -> owner(session) == owner);
        }

        void settle(int answers) {
            Await.until(answers + " answers", SOON, () -> answers() == answers);
        }

        int answers() {
            return accepted() + overtaken();
        }

        int overtaken() {
            return (int) proposals("overtaken");
        }

        int accepted() {
            return (int) proposals("accepted");
        }

        private double proposals(String result) {
            return meters.get("penstock_router_pin_proposals_total")
                    .tag("result", result)
                    .counter()
                    .count();
        }

        void close() {
            join(store.close());
            proxy.close();
        }
    }
}
