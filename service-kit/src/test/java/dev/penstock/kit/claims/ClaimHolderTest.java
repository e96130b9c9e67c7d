package dev.penstock.kit.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.kit.config.RedisConfig;
import dev.penstock.kit.membership.Membership;
import dev.penstock.kit.run.ServiceVertx;
import dev.penstock.model.ClaimRecord;
import dev.penstock.model.Header;
import dev.penstock.model.Roles;
import dev.penstock.model.Topics;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.infra.FreshInfra;
import dev.penstock.wire.ClaimCodec;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClaimHolderTest {
    private static final Duration SOON = Duration.ofSeconds(15);

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final List<Instance> instances = new ArrayList<>();
    private FreshInfra infra;
    private Vertx vertx;

    private record Instance(String name, KafkaBus bus, Membership members, ClaimHolder claim) {}

    @BeforeEach
    void start() {
        infra = FreshInfra.start();
        vertx = ServiceVertx.create(2, new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
    }

    @AfterEach
    void stop() throws Exception {
        for (Instance each : instances) {
            join(each.members().close());
            join(each.bus().close());
        }
        join(vertx.close());
        infra.close();
    }

    @Test
    void a_role_has_one_owner_and_the_next_one_follows_a_release_and_a_death() throws Exception {
        Instance first = instance("health-0");
        Await.until("the first owns it", SOON, first.claim()::owns);
        Instance second = instance("health-1");
        Await.until("both are members", SOON, () -> second.members().live().size() == 2);
        assertThat(second.claim().owns()).isFalse();

        long before = first.claim().epoch();
        join(first.claim().close());
        join(first.members().close());
        Await.until("the second took over after the release", SOON, second.claim()::owns);
        assertThat(second.claim().epoch()).isGreaterThan(before);
        assertThat(first.claim().owns()).isFalse();

        // Death: it stops beating and says nothing.
        Instance third = instance("health-2");
        Await.until("both are members", SOON, () -> third.members().live().size() == 2);
        join(second.members().close());
        Await.until("the third took over", SOON, third.claim()::owns);
        // The epoch is set before its listener is told.
        Await.until("all of them were told", SOON, () -> !second.claim().owns() && told.size() == 5);
        assertThat(told)
                .containsExactlyInAnyOrder(
                        "health-0 gained", "health-0 lost", "health-1 gained", "health-2 gained", "health-1 lost");
    }

    @Test
    void a_late_release_of_an_earlier_owner_has_the_role_claimed_anew() throws Exception {
        Instance owner = instance("health-0");
        Await.until("it owns it", SOON, owner.claim()::owns);
        long before = owner.claim().epoch();
        Header earlier = new Header("health-9", 9, 1, Header.NO_EPOCH, 1);
        byte[] release = ClaimCodec.encode(new ClaimRecord(earlier, Roles.VERDICTS, true));

        join(owner.bus().publish(Topics.CLAIMS, 0, Roles.VERDICTS, release));

        Await.until("it owns it anew", SOON, () -> owner.claim().epoch() > before + 1 && told.size() == 3);
        assertThat(told).containsExactly("health-0 gained", "health-0 lost", "health-0 gained");
    }

    private Instance instance(String name) {
        Incarnation self = Incarnation.fresh(name);
        KafkaBus bus = KafkaBus.create(
                vertx,
                new KafkaConfig(infra.bootstrapServers(), (short) 1),
                self,
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
        Membership members =
                Membership.start(vertx, new RedisConfig(infra.redisUrl()), "health", self, Duration.ofMillis(200));
        ClaimHolder claim = ClaimHolder.start(vertx, bus, members, self, Roles.VERDICTS, new ClaimHolder.Listener() {
            @Override
            public void gained(long epoch) {
                told.add(name + " gained");
            }

            @Override
            public void lost() {
                told.add(name + " lost");
            }
        });
        Instance instance = new Instance(name, bus, members, claim);
        instances.add(instance);
        return instance;
    }

    private static <T> T join(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
