package dev.penstock.router.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.kit.config.RedisConfig;
import dev.penstock.model.Replica;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.infra.EmbeddedRedis;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two routers and a real Redis. */
class JobIndexTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Replica REPLICA = JobIdsProperties.replica(7, "uid-1");

    private final Vertx vertx = Vertx.vertx();
    private final EmbeddedRedis redis = EmbeddedRedis.start(0);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Jobs one = jobs();
    private final Jobs two = jobs();

    @AfterEach
    void close() {
        join(one.close());
        join(two.close());
        join(vertx.close());
        redis.close();
    }

    @Test
    void jobs_that_one_router_made_are_listed_by_all_the_youngest_first() {
        make("a", "1", "2", "3");

        assertThat(ids(two, "a", "", 10, false)).containsExactly("video_3", "video_2", "video_1");
        assertThat(ids(two, "a", "", 10, true)).containsExactly("video_1", "video_2", "video_3");
        JobIndex.Found found = found(two, "a", "", 10, false);
        assertThat(found.hasMore()).isFalse();
        assertThat(found.entries().getFirst()).isEqualTo("{\"id\":\"video_3\",\"status\":\"unknown\"}");
    }

    @Test
    void pages_follow_each_other() {
        make("a", "1", "2", "3");

        JobIndex.Found first = found(two, "a", "", 2, false);
        assertThat(first.ids()).containsExactly("video_3", "video_2");
        assertThat(first.hasMore()).isTrue();
        JobIndex.Found second = found(two, "a", "video_2", 2, false);
        assertThat(second.ids()).containsExactly("video_1");
        assertThat(second.hasMore()).isFalse();
        assertThat(ids(two, "a", "video_1", 2, false)).isEmpty();
        assertThat(ids(two, "a", "video_2", 1, true)).containsExactly("video_3");
        assertThat(join(two.index().list("a", "video_nobody", 2, false))).isNull();
    }

    @Test
    void tenants_see_their_own() {
        make("a", "1");
        make("b", "2");

        assertThat(ids(two, "a", "", 10, false)).containsExactly("video_1");
        assertThat(ids(two, "b", "", 10, false)).containsExactly("video_2");
        assertThat(ids(two, "c", "", 10, false)).isEmpty();
    }

    @Test
    void what_was_deleted_is_not_listed() {
        make("a", "1", "2");

        one.index().deleted("a", "video_1");

        Await.until("it is gone", SOON, () -> ids(two, "a", "", 10, false).equals(List.of("video_2")));
    }

    @Test
    void a_thousand_are_kept_for_a_day() {
        for (int i = 0; i < 1_010; i++) {
            one.index().created("a", answer(String.valueOf(i)));
            if (i % 100 == 0) awaitWritten(i + 1);
        }
        awaitWritten(1_010);

        assertThat(number("ZCARD", "penstock:jobs:a")).isEqualTo(1_000);
        assertThat(number("HLEN", "penstock:jobdata:a")).isEqualTo(1_000);
        assertThat(ids(two, "a", "", 1, true)).containsExactly("video_10");
        long day = Duration.ofHours(24).toMillis();
        assertThat(number("PTTL", "penstock:jobs:a")).isBetween(day - 60_000, day);
        assertThat(number("PTTL", "penstock:jobdata:a")).isBetween(day - 60_000, day);
    }

    @Test
    void what_is_older_than_a_day_is_not_listed() {
        make("a", "1", "2");
        ask(Request.cmd(Command.ZADD).arg("penstock:jobs:a").arg(1_000).arg("video_1"));

        assertThat(ids(two, "a", "", 10, false)).containsExactly("video_2");
        assertThat(number("HLEN", "penstock:jobdata:a")).isEqualTo(1);
    }

    @Test
    void without_redis_nothing_is_listed_and_what_is_not_written_is_counted() {
        make("a", "1");
        redis.stop();

        one.index().created("a", answer("2"));

        Await.until("counted", SOON, () -> writes("dropped") == 1);
        assertThatThrownBy(() -> found(two, "a", "", 10, false)).isNotNull();
        redis.start();
        Await.until("found again", SOON, () -> {
            one.index().created("a", answer("3"));
            return writes("ok") >= 2;
        });
        Await.until("listed again", SOON, () -> {
            Future<?> asked = two.index().list("a", "", 10, false);
            Await.until("answered", SOON, asked::isComplete);
            return asked.succeeded();
        });
    }

    @Test
    void routers_agree_on_a_key() {
        join(one.start());
        join(two.start());

        String id = String.valueOf(JobIdsProperties.of(one.ids(), JobKind.VIDEO, "t", REPLICA, "e1"));

        assertThat(two.ids().read(JobKind.VIDEO, "t", id)).isNotNull();
        assertThat(number("TTL", "penstock:jobkey")).as("for good").isEqualTo(-1);
    }

    @Test
    void a_router_without_redis_has_a_key_of_its_own_and_then_the_shared_one() {
        join(one.start());
        redis.stop();
        JobRedis link = new JobRedis(vertx, new RedisConfig(redis.url()), System::nanoTime);
        JobKeys keys = new JobKeys(JobIdsProperties.key(9));
        SharedJobKey shared = new SharedJobKey(link, keys);
        join(shared.start(vertx));
        String own = String.valueOf(JobIdsProperties.of(new JobIds(keys), JobKind.VIDEO, "t", REPLICA, "e1"));

        redis.start();

        Await.until(
                "it signs with what is shared",
                Duration.ofSeconds(20),
                () -> readableBy(one, JobIdsProperties.of(new JobIds(keys), JobKind.VIDEO, "t", REPLICA, "e1")));
        assertThat(new JobIds(keys).read(JobKind.VIDEO, "t", own))
                .as("what it gave out before")
                .isNotNull();
        shared.close();
        link.close();
    }

    private static boolean readableBy(Jobs jobs, @Nullable String id) {
        return id != null && jobs.ids().read(JobKind.VIDEO, "t", id) != null;
    }

    private Jobs jobs() {
        return new Jobs(vertx, new RedisConfig(redis.url()), null, new JobCounters(meters), System::nanoTime);
    }

    private void make(String tenant, String... names) {
        for (String name : names) {
            double before = writes("ok");
            one.index().created(tenant, answer(name));
            Await.until("written", SOON, () -> writes("ok") == before + 1);
        }
    }

    private void awaitWritten(int count) {
        Await.until("written", SOON, () -> writes("ok") == count);
    }

    private static Buffer answer(String name) {
        return Buffer.buffer("{\"id\":\"video_" + name + "\",\"status\":\"queued\"}");
    }

    private double writes(String result) {
        return meters.get("penstock_router_job_index_writes_total")
                .tag("result", result)
                .counter()
                .count();
    }

    private static List<String> ids(Jobs jobs, String tenant, String after, int most, boolean rising) {
        return found(jobs, tenant, after, most, rising).ids();
    }

    private static JobIndex.Found found(Jobs jobs, String tenant, String after, int most, boolean rising) {
        JobIndex.Found found = join(jobs.index().list(tenant, after, most, rising));
        if (found == null) throw new AssertionError("no such place: " + after);
        return found;
    }

    private long number(String command, String key) {
        Response answer = ask(Request.cmd(Command.create(command)).arg(key));
        return answer == null ? Long.MIN_VALUE : answer.toLong();
    }

    private @Nullable Response ask(Request request) {
        Redis client = Redis.createClient(vertx, redis.url());
        try {
            return join(client.send(request));
        } finally {
            client.close();
        }
    }

    private static <T extends @Nullable Object> T join(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
