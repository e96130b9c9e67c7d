package dev.penstock.kit.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.config.RedisConfig;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.infra.EmbeddedRedis;
import dev.penstock.testkit.infra.TcpFaultProxy;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MembershipTest {
    private static final Duration BEAT = Duration.ofMillis(200);
    private static final Duration SOON = Duration.ofSeconds(6);

    private final Vertx vertx = Vertx.vertx();
    private final EmbeddedRedis redis = EmbeddedRedis.start(0);
    private final TcpFaultProxy proxy = TcpFaultProxy.start(0, "127.0.0.1", redis.port());
    private final Incarnation one = new Incarnation("one", 1);
    private final Incarnation two = new Incarnation("two", 2);

    @AfterEach
    void close() {
        join(vertx.close());
        proxy.close();
        redis.close();
    }

    @Test
    void members_see_each_other_and_leave_at_once() {
        Membership first = start(redis.url(), one);
        Membership second = start(redis.url(), two);
        Await.until("both", SOON, () -> first.live().equals(List.of(one.memberId(), two.memberId())));

        join(second.close());

        Await.until("one left", SOON, () -> first.live().equals(List.of(one.memberId())));
        join(first.close());
    }

    @Test
    void frozen_redis_freezes_the_list_without_piling_up() {
        Membership first = start("redis://" + proxy.address(), one);
        Membership second = start(redis.url(), two);
        Await.until("both", SOON, () -> first.live().size() == 2);

        proxy.freeze();
        Await.until("lost", SOON, () -> !first.connected());
        join(vertx.timer(3_000));

        assertThat(first.live()).hasSize(2);
        assertThat(proxy.connections()).isLessThanOrEqualTo(8);
        proxy.pass();
        Await.until("back", SOON, first::connected);
        Await.until("both again", SOON, () -> second.live().size() == 2);
    }

    @Test
    void restarted_empty_redis_strikes_nobody_off() {
        Membership first = start(redis.url(), one);
        Membership second = start(redis.url(), two);
        Await.until(
                "both", SOON, () -> first.live().size() == 2 && second.live().size() == 2);

        redis.stop();
        Await.until("lost", SOON, () -> !first.connected() && !second.connected());
        redis.start();

        Await.until("back", SOON, () -> {
            assertThat(first.live()).hasSize(2);
            return first.connected() && second.connected();
        });
    }

    @Test
    void starts_without_redis() {
        redis.stop();
        Membership first = start(redis.url(), one);
        assertThat(first.live()).isEmpty();

        redis.start();

        Await.until("alone", SOON, () -> first.live().size() == 1);
    }

    private Membership start(String url, Incarnation self) {
        return Membership.start(vertx, new RedisConfig(url), "router", self, BEAT);
    }

    private static <T> T join(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }
}
