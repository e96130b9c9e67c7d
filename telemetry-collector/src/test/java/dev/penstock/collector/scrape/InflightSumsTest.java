package dev.penstock.collector.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.model.Header;
import dev.penstock.model.InflightVector;
import dev.penstock.testkit.ManualClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InflightSumsTest {
    private final ManualClock clock = new ManualClock();
    private final InflightSums sums = new InflightSums();
    private final List<Integer> busy = new ArrayList<>();

    @Test
    void routers_are_summed_and_a_full_vector_replaces() {
        accept("a", 1, 1, false, 7, 2);
        accept("b", 1, 1, false, 7, 3);
        assertThat(sums.of(7)).isEqualTo(5);

        accept("a", 1, 2, true, 8, 1);

        assertThat(sums.of(7)).isEqualTo(3);
        assertThat(sums.of(8)).isEqualTo(1);
        assertThat(busy).containsExactly(7, 8);
    }

    @Test
    void an_old_record_changes_nothing() {
        accept("a", 1, 5, false, 7, 2);
        accept("a", 1, 5, false, 7, 9);
        accept("a", 1, 4, false, 7, 9);

        assertThat(sums.of(7)).isEqualTo(2);
    }

    @Test
    void another_incarnation_starts_over() {
        accept("a", 1, 5, false, 7, 2);
        accept("a", 2, 0, false, 8, 1);

        assertThat(sums.of(7)).isZero();
        assertThat(sums.of(8)).isEqualTo(1);
    }

    @Test
    void the_silent_are_forgotten() {
        accept("a", 1, 1, false, 7, 2);
        clock.advanceMillis(3_000);
        sums.expire(clock.getAsLong());
        assertThat(sums.of(7)).isEqualTo(2);

        clock.advanceMillis(1);
        sums.expire(clock.getAsLong());

        assertThat(sums.of(7)).isZero();
    }

    @Test
    void a_copy_of_what_the_silent_had_told_does_not_bring_it_back() {
        accept("a", 1, 1, false, 7, 2);
        clock.advanceMillis(3_001);
        sums.expire(clock.getAsLong());

        accept("a", 1, 1, false, 7, 2);

        assertThat(sums.of(7)).isZero();
        assertThat(busy).containsExactly(7);
    }

    @Test
    void a_copy_of_an_earlier_life_changes_nothing() {
        accept("a", 1, 5, false, 7, 2);
        accept("a", 2, 1, false, 8, 1);

        accept("a", 1, 5, false, 7, 2);

        assertThat(sums.of(7)).isZero();
        assertThat(sums.of(8)).isEqualTo(1);
    }

    @Test
    void a_late_record_of_an_earlier_life_takes_nothing_from_the_present_one() {
        accept("a", 1, 5, false, 7, 2);
        long before = clock.getAsLong();
        clock.advanceMillis(500);
        accept("a", 2, 1, false, 8, 1);

        accept("a", 1, 6, before, false, 7, 9);
        accept("a", 2, 2, false, 9, 1);

        assertThat(sums.of(7)).isZero();
        assertThat(sums.of(8)).isEqualTo(1);
        assertThat(sums.of(9)).isEqualTo(1);
    }

    @Test
    void what_waited_on_its_way_is_as_old_as_it_is() {
        accept("a", 1, 1, false, 8, 1);
        long before = clock.getAsLong();
        clock.advanceMillis(3_001);

        accept("a", 1, 2, before, false, 7, 2);
        sums.expire(clock.getAsLong());

        assertThat(sums.of(7)).isZero();
        assertThat(sums.of(8)).isZero();
    }

    private void accept(String router, long incarnation, long sequence, boolean full, int number, int count) {
        accept(router, incarnation, sequence, clock.getAsLong(), full, number, count);
    }

    private void accept(
            String router, long incarnation, long sequence, long sentNanos, boolean full, int number, int count) {
        Header header = new Header(router, incarnation, sequence, Header.NO_EPOCH, sentNanos);
        sums.accept(
                new InflightVector(header, 1, full, new int[] {number}, new int[] {count}, List.of()),
                clock.getAsLong(),
                busy::add);
    }
}
