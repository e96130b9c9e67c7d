package dev.penstock.collector.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.collector.scrape.Reading;
import dev.penstock.core.capacity.Work;
import dev.penstock.model.PoolId;
import dev.penstock.model.Replica;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CapacityBookTest {
    private static final Replica FIRST = Replica.serving("m", "engine-1", 1, "u", "http://e:1");
    private static final Replica SECOND = Replica.serving("m", "engine-2", 2, "v", "http://e:2");
    private static final Replica OTHER = Replica.serving("n", "engine-3", 3, "w", "http://e:3");

    private final ManualClock clock = ManualClock.overflowingIn(Duration.ofSeconds(5));
    private final Map<Integer, Integer> numberToLearned = new HashMap<>();
    private final Map<Integer, Integer> numberToInflight = new HashMap<>();
    private final List<String> observed = new ArrayList<>();
    private final Set<Integer> explored = new HashSet<>();
    private int learners;
    private int middleMilli;
    private final CapacityBook book = new CapacityBook(number -> numberToInflight.getOrDefault(number, 0), () -> {
        learners++;
        return new Remembers();
    });
    private long tokens;

    @Test
    void each_pool_has_a_learner_that_is_told_of_each_second() {
        work(2, FIRST, SECOND, OTHER);

        assertThat(learners).isEqualTo(2);
        assertThat(observed).hasSize(6).contains("1 work 10.0 inflight 4.0", "3 work 10.0 inflight 4.0");
    }

    @Test
    void what_routers_have_in_flight_counts_before_what_the_engine_says() {
        numberToInflight.put(1, 7);

        work(2, FIRST);

        assertThat(observed).contains("1 work 10.0 inflight 7.0");
    }

    @Test
    void what_is_learned_is_published_when_it_changes_by_more_than_one_percent() {
        learned(1, 1_500);
        work(2, FIRST);
        assertThat(book.capacityMilli(1)).isEqualTo(1_500);

        learned(1, 1_515);
        work(1, FIRST);
        assertThat(book.capacityMilli(1)).isEqualTo(1_500);

        learned(1, 1_516);
        work(1, FIRST);
        assertThat(book.capacityMilli(1)).isEqualTo(1_516);
        assertThat(book.status(1).learned()).isTrue();
    }

    @Test
    void a_takeover_starts_with_what_was_published_and_goes_over_to_what_is_learned() {
        book.heard(1, 1_600);
        learned(1, 800);

        work(2, FIRST);
        assertThat((double) book.capacityMilli(1)).isCloseTo(1_600, within(40.0));
        work(28, FIRST);
        assertThat((double) book.capacityMilli(1)).isCloseTo(1_131, within(30.0));
        work(40, FIRST);
        assertThat((double) book.capacityMilli(1)).isCloseTo(800, within(8.0));
    }

    @Test
    void a_prior_that_comes_late_counts_while_little_was_learned() {
        work(1, FIRST);
        book.heard(1, 1_600);
        assertThat(book.capacityMilli(1)).isEqualTo(1_600);

        learned(2, 900);
        work(3, SECOND);
        book.heard(2, 1_600);
        assertThat(book.capacityMilli(2)).isEqualTo(1_600);

        learned(3, 900);
        work(6, OTHER);
        book.heard(3, 1_600);
        assertThat(book.capacityMilli(3)).isEqualTo(900);
    }

    @Test
    void a_restarted_engine_starts_with_what_was_last_published_here_and_not_with_what_was_heard_long_ago() {
        book.heard(1, 400);
        learned(1, 1_600);
        work(70, FIRST);
        assertThat(book.capacityMilli(1)).isEqualTo(1_600);

        book.removed(FIRST);
        work(1, FIRST);

        assertThat((double) book.capacityMilli(1)).isCloseTo(1_600, within(20.0));
        assertThat(observed).contains("1 expected 400", "1 expected 1600");
    }

    @Test
    void who_comes_back_is_as_far_from_the_middle_as_it_was_wherever_that_has_moved() {
        middleMilli = 12_000;
        learned(1, 15_000);
        work(70, FIRST, SECOND);
        book.removed(FIRST);
        middleMilli = 36_000;
        learned(1, 36_000);

        work(1, FIRST);
        assertThat(observed).contains("1 expected 45000");
        assertThat((double) book.capacityMilli(1)).isCloseTo(45_000, within(450.0));

        middleMilli = 8_000;
        learned(1, 8_000);
        work(2, FIRST);
        assertThat((double) book.capacityMilli(1)).isCloseTo(10_000, within(200.0));
    }

    /** Its learner is new too, and knows of no middle before it has settled anything. */
    @Test
    void a_pool_that_comes_back_whole_is_told_alike() {
        middleMilli = 36_000;
        learned(1, 36_000);
        learned(2, 36_000);
        work(70, FIRST, SECOND);
        book.removed(FIRST);
        book.removed(SECOND);
        middleMilli = 0;
        observed.clear();

        work(1, FIRST, SECOND);

        assertThat(observed).contains("1 expected 36000", "2 expected 36000");
    }

    @Test
    void a_replica_in_another_pool_starts_without_the_numbers_of_the_first() {
        learned(1, 1_600);
        work(2, FIRST);
        learned(1, 0);

        work(1, Replica.serving("n", "engine-1", 1, "u", "http://e:1"));

        assertThat(book.capacityMilli(1)).isZero();
    }

    @Test
    void who_has_nothing_to_do_is_explored_whatever_it_started_with() {
        book.heard(1, 400);
        learned(1, 1_600);
        explored.add(1);
        work(2, FIRST);
        assertThat(book.capacityMilli(1)).isEqualTo(1_600);

        explored.clear();
        work(1, FIRST);
        assertThat(book.capacityMilli(1)).isLessThan(450);
    }

    @Test
    void what_was_learned_survives_a_takeover_under_a_load_that_teaches_nothing() {
        CapacityBook next = new CapacityBook(number -> 4, CoreLearner::new);
        next.heard(1, 48_000);
        next.heard(2, 24_000);

        Replica newcomer = Replica.serving("m", "engine-4", 4, "x", "http://e:4");
        steady(next, 120, FIRST, SECOND, newcomer);

        assertThat((double) next.capacityMilli(1)).isCloseTo(48_000, within(2_000.0));
        assertThat((double) next.capacityMilli(2)).isCloseTo(24_000, within(1_000.0));
        assertThat(next.capacityMilli(4)).isBetween(24_000, 48_000);
    }

    @Test
    void time_that_nobody_was_awake_in_is_not_made_up_for() {
        work(1, FIRST);

        clock.advanceMillis(90_000);
        work(2, FIRST);

        assertThat(observed).isNotEmpty();
    }

    @Test
    void nonsense_on_the_bus_is_no_prior() {
        for (int milli : new int[] {-1, 0, 9, 10_000_001, Integer.MAX_VALUE}) book.heard(1, milli);
        work(1, FIRST);

        assertThat(book.capacityMilli(1)).isZero();
    }

    @Test
    void the_gone_are_forgotten_with_their_pool() {
        work(2, FIRST, OTHER);

        book.removed(OTHER);

        assertThat(observed).contains("3 forgotten");
        work(1, OTHER);
        assertThat(learners).isEqualTo(3);
        assertThat(book.capacityMilli(7)).isZero();
    }

    @Test
    void the_spread_of_a_pool_is_the_highest_over_the_lowest() {
        learned(1, 1_400);
        learned(2, 700);
        work(2, FIRST, SECOND, OTHER);

        assertThat(book.poolToSpread()).isEqualTo(Map.of(PoolId.localFor("m"), 2.0));
        assertThat(book.counts()).containsExactly(2, 0, 1);
    }

    private void learned(int number, int milli) {
        numberToLearned.put(number, milli);
    }

    /** Seconds of four requests at once and 10 tokens. */
    private void work(int seconds, Replica... replicas) {
        steady(book, seconds, replicas);
    }

    private void steady(CapacityBook book, int seconds, Replica... replicas) {
        for (int i = 0; i <= seconds; i++) {
            if (i > 0) {
                clock.advanceMillis(1_000);
                tokens += 10;
            }
            Work work = new Work(tokens + 1, 0, 1, Double.NaN);
            for (Replica each : replicas)
                book.read(each, new Reading(3, 1, 0, tokens, false, false, work, null), clock.getAsLong());
            if (i > 0) book.tick(clock.getAsLong());
        }
    }

    private final class Remembers implements PoolLearner {
        @Override
        public void observe(int number, String hardwareClass, double work, double meanInflight, long dtNanos) {
            observed.add(number + " work " + work + " inflight " + meanInflight);
        }

        @Override
        public void expect(int number, String hardwareClass, int capacityMilli) {
            observed.add(number + " expected " + capacityMilli);
        }

        @Override
        public void settle(long dtNanos) {
            assertThat(dtNanos).isBetween(1L, Duration.ofMinutes(1).toNanos());
        }

        @Override
        public void restarted(int number) {
            observed.add(number + " restarted");
        }

        @Override
        public void forget(int number) {
            observed.add(number + " forgotten");
        }

        @Override
        public int capacityMilli(int number) {
            return numberToLearned.getOrDefault(number, 0);
        }

        @Override
        public int middleMilli() {
            return middleMilli;
        }

        @Override
        public boolean explored(int number) {
            return explored.contains(number);
        }

        @Override
        public double throughput(int number) {
            return 0;
        }
    }
}
