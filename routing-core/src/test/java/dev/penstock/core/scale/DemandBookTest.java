package dev.penstock.core.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.model.PoolId;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DemandBookTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualClock clock = ManualClock.overflowingIn(Duration.ofSeconds(5));
    private final DemandBook book = new DemandBook(AdviceTimes.DEFAULT, clock.getAsLong());
    private final Demands first = new Demands("router-0");
    private final Demands second = new Demands("router-1");

    @Test
    void running_ones_of_all_routers_add_up() {
        first.running = 30;
        second.running = 12;

        second(first, second);
        second(first, second);

        assertThat(demand().running()).isEqualTo(42);
        assertThat(demand().current()).isEqualTo(42);
        assertThat(demand().longMean()).isEqualTo(42);
        assertThat(demand().known()).isTrue();
    }

    @Test
    void waiting_counts_as_work_and_growth_as_what_it_would_have_run() {
        first.running = 20;
        second(first);
        first.queued = 30;
        first.shed = 15;
        first.expired = 5;
        second(first);

        // (30 + 15 + 5) / 10 s unserved, of 2 s each, and 30 waiting ones worked off within a start of 60 s
        assertThat(demand().unservedPerSecond()).isEqualTo(5);
        assertThat(demand().current()).isEqualTo(20 + 5 * 2 + 30 * 2 / 60.0);
    }

    @Test
    void what_went_unserved_is_forgotten_after_ten_seconds() {
        second(first);
        first.shed = 100;
        second(first);
        assertThat(demand().unservedPerSecond()).isEqualTo(10);

        for (int i = 0; i < 10; i++) second(first);

        assertThat(demand().unservedPerSecond()).isZero();
    }

    @Test
    void service_time_is_the_prior_until_ten_were_completed() {
        second(first);
        first.completed = 9;
        first.serviceMicros = 90_000_000;
        second(first);
        assertThat(demand().serviceSeconds()).isEqualTo(DemandBook.SERVICE_PRIOR_SECONDS);

        first.completed = 10;
        first.serviceMicros = 50_000_000 + 90_000_000;
        second(first);

        assertThat(demand().serviceSeconds()).isEqualTo(14);
    }

    @Test
    void a_silent_router_drops_out_after_three_seconds() {
        first.running = 10;
        second.running = 5;
        second(first, second);

        for (int i = 0; i < 3; i++) second(first);
        assertThat(demand().running()).isEqualTo(15);
        second(first);

        assertThat(demand().running()).isEqualTo(10);
        assertThat(demand().unservedPerSecond()).isZero();
        assertThat(book.silent(lives(), clock.getAsLong())).isEqualTo(1);
    }

    @Test
    void a_restarted_router_counts_from_zero() {
        first.shed = 1_000;
        first.queued = 10;
        second(first);
        first.restart();
        first.shed = 20;
        second(first);

        assertThat(demand().unservedPerSecond()).isEqualTo(2);
        assertThat(demand().queued()).isZero();
    }

    /** The last record of a life that ended comes after the first ones of the next. */
    @Test
    void an_earlier_life_that_returns_is_counted_from_where_it_was() {
        Demands young = new Demands("router-0");
        young.restart();
        first.running = 30;
        first.shed = 1_000;
        second(first);
        first.shed = 1_010;
        var late = first.record(clock.getAsLong());
        young.running = 5;
        second(young);
        second(young);

        book.record(late, clock.getAsLong());
        book.tick(clock.getAsLong());
        assertThat(demand().unservedPerSecond()).isEqualTo(1);
        assertThat(demand().running()).as("of the present life").isEqualTo(5);
        assertThat(book.silent(Set.of(new DemandBook.RouterLife("router-0", young.incarnation())), clock.getAsLong()))
                .isZero();

        young.shed = 20;
        second(young);
        assertThat(demand().unservedPerSecond()).isEqualTo(3);
    }

    @Test
    void of_two_lives_that_tell_by_turns_each_is_counted_once() {
        Demands young = new Demands("router-0");
        young.restart();
        first.shed = 1_000;
        second(first);
        for (int i = 0; i < 4; i++) {
            first.shed += 3;
            young.shed += 2;
            second(young, first);
        }

        assertThat(demand().unservedPerSecond()).isEqualTo(4 * (3 + 2) / 10.0);
    }

    @Test
    void counts_from_before_the_first_record_have_no_time() {
        first.shed = 1_000_000;
        first.queued = 50;

        second(first);

        assertThat(demand().unservedPerSecond()).isZero();
        assertThat(demand().current()).isCloseTo(50 * 2 / 60.0, within(1e-9));
    }

    @Test
    void an_old_record_is_dropped() {
        var record = first.record(clock.getAsLong());
        assertThat(book.record(record, clock.getAsLong())).isTrue();
        assertThat(book.record(record, clock.getAsLong())).isFalse();
    }

    @Test
    void a_record_that_waited_on_its_way_tells_of_then() {
        first.running = 10;
        second(first);
        second(first);
        var late = first.record(clock.getAsLong());
        for (int i = 0; i < 5; i++) second();
        book.record(late, clock.getAsLong());
        book.tick(clock.getAsLong());

        assertThat(demand().known()).isFalse();
        assertThat(demand().inputsAgeNanos()).isBetween(4_990_000_000L, 5_000_000_000L);
    }

    @Test
    void without_routers_demand_is_unknown_and_not_zero() {
        first.running = 10;
        second(first);
        second(first);
        for (int i = 0; i < 4; i++) second();

        assertThat(demand().known()).isFalse();
        assertThat(demand().inputsAgeNanos()).isEqualTo(4_000_000_000L);
        assertThat(demand().longMean()).isEqualTo(10);
    }

    @Test
    void a_pool_that_no_router_mentions_has_no_demand() {
        var other = new PoolId("local", "other");
        second(first);
        for (int i = 0; i < 3; i++) {
            book.watch(other, clock.getAsLong());
            second(first);
        }

        assertThat(book.demand(other, clock.getAsLong()).known()).isTrue();
        assertThat(book.demand(other, clock.getAsLong()).longMean()).isZero();
        assertThat(book.demand(other, clock.getAsLong()).seenNanos()).isEqualTo(2_000_000_000L);
    }

    @Test
    void queueing_hides_no_demand() {
        // 100 requests a second of 2 s, and 20 replicas that run 8 at once
        Demands queueing = new Demands("queueing");
        Demands shedding = new Demands("shedding");
        DemandBook other = new DemandBook(AdviceTimes.DEFAULT, clock.getAsLong());
        queueing.running = 160;
        shedding.running = 160;
        for (int i = 0; i < 60; i++) {
            clock.advance(SECOND);
            queueing.queued += 20;
            shedding.shed += 20;
            for (Demands each : new Demands[] {queueing, shedding}) {
                each.completed += 80;
                each.serviceMicros += 160_000_000;
            }
            book.record(queueing.record(clock.getAsLong()), clock.getAsLong());
            book.tick(clock.getAsLong());
            other.record(shedding.record(clock.getAsLong()), clock.getAsLong());
            other.tick(clock.getAsLong());
            // a queue that is bounded at 5 s of work sheds the rest
            if (queueing.queued >= 500) {
                queueing.queued -= 20;
                queueing.expired += 20;
            }
        }
        double on = demand().longMean();
        double off = other.demand(Demands.POOL, clock.getAsLong()).longMean();

        assertThat(off).isBetween(190.0, 201.0);
        assertThat(on / off).isBetween(0.95, 1.10);
    }

    private Set<DemandBook.RouterLife> lives() {
        return Set.of(
                new DemandBook.RouterLife("router-0", first.incarnation()),
                new DemandBook.RouterLife("router-1", second.incarnation()));
    }

    private void second(Demands... routers) {
        clock.advance(SECOND);
        for (Demands router : routers) book.record(router.record(clock.getAsLong()), clock.getAsLong());
        book.tick(clock.getAsLong());
    }

    private PoolDemand demand() {
        return book.demand(Demands.POOL, clock.getAsLong());
    }
}
