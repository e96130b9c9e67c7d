package dev.penstock.core.ramp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SlowStartTest {
    private static final long SECOND = 1_000_000_000L;
    /** As far apart as the view's sweeps. */
    private static final long TICK = SECOND / 10;

    private static final long WINDOW = 30 * SECOND;
    private static final long START = 1_000 * SECOND;

    private final SlowStart start = new SlowStart(START, START);

    @Test
    void the_share_is_the_time_since_ready_by_the_window_and_a_tenth_at_least() {
        assertThat(shareAfter(0)).isEqualTo(0.1);
        assertThat(shareAfter(2_900)).isEqualTo(0.1);
        assertThat(shareAfter(6_000)).isEqualTo(0.2, within(1e-9));
        assertThat(shareAfter(15_000)).isEqualTo(0.5, within(1e-9));
        assertThat(shareAfter(29_999)).isLessThan(1);
        assertThat(shareAfter(30_000)).isEqualTo(1);
        assertThat(shareAfter(90_000)).isEqualTo(1);
    }

    @Test
    void one_that_was_ready_before_it_was_heard_of_is_that_far_already() {
        SlowStart known = new SlowStart(START - 12 * SECOND, START);

        assertThat(known.share(WINDOW, 0, 0, START)).isEqualTo(0.4, within(1e-9));
    }

    @Test
    void a_window_of_zero_starts_nobody() {
        assertThat(start.share(0, 0, 0, START)).isEqualTo(1);
    }

    @Test
    void it_turns_out_to_have_been_ready_earlier_but_never_later() {
        start.readySince(START - 6 * SECOND);
        assertThat(shareAfter(0)).isEqualTo(0.2, within(1e-9));

        start.readySince(START - 3 * SECOND);
        start.readySince(START + 3 * SECOND);
        assertThat(shareAfter(0)).isEqualTo(0.2, within(1e-9));

        start.readySince(START - 15 * SECOND);
        assertThat(shareAfter(0)).isEqualTo(0.5, within(1e-9));
    }

    @Test
    void twenty_answers_as_fast_as_the_others_end_it_early() {
        for (int i = 0; i < 19; i++) start.answered();
        assertThat(start.share(WINDOW, 100, 100, START)).as("19 answers").isEqualTo(0.1);

        start.answered();

        assertThat(start.share(WINDOW, 130, 100, START)).as("1.3 times").isEqualTo(0.1);
        assertThat(start.share(WINDOW, 129, 100, START)).as("below 1.3 times").isEqualTo(1);
        assertThat(start.share(WINDOW, 1, 100, START)).as("faster").isEqualTo(1);
    }

    @Test
    void it_does_not_end_early_while_nobody_knows_how_fast_the_others_are_or_it_is() {
        for (int i = 0; i < 100; i++) start.answered();

        assertThat(start.share(WINDOW, 100, 0, START)).isEqualTo(0.1);
        assertThat(start.share(WINDOW, 0, 100, START)).isEqualTo(0.1);
        assertThat(start.share(WINDOW, 0, 0, START)).isEqualTo(0.1);
    }

    @Test
    void it_goes_on_when_the_clock_overflows() {
        long late = Long.MAX_VALUE - 10 * SECOND;
        SlowStart overflowing = new SlowStart(late, late);

        double share = 0;
        for (long after = 0; after <= 15 * SECOND; after += TICK) share = overflowing.share(WINDOW, 0, 0, late + after);

        assertThat(share).isEqualTo(0.5, within(1e-9));
    }

    @Test
    void it_stands_still_for_five_seconds_after_a_failure() {
        advance(0, 9_000);
        start.failed(START + 9 * SECOND);

        assertThat(advance(9_000, 11_500)).isEqualTo(0.3, within(1e-9));
        assertThat(advance(11_500, 14_000)).isEqualTo(0.3, within(1e-9));
        assertThat(advance(14_000, 17_000)).isEqualTo(0.4, within(1e-9));
        assertThat(advance(17_000, 34_900)).isLessThan(1);
        assertThat(advance(34_900, 35_000)).isEqualTo(1, within(1e-9));
    }

    @Test
    void five_seconds_count_from_the_last_of_several_failures_and_once() {
        advance(0, 9_000);
        start.failed(START + 9 * SECOND);
        advance(9_000, 12_000);
        start.failed(START + 12 * SECOND);

        assertThat(advance(12_000, 17_000)).isEqualTo(0.3, within(1e-9));
        assertThat(advance(17_000, 20_000)).isEqualTo(0.4, within(1e-9));
    }

    @Test
    void a_failure_between_two_looks_costs_one_look_more_at_most() {
        advance(0, 9_000);
        start.failed(START + 9 * SECOND + TICK / 2);

        double after = advance(9_000, 17_050);

        // 3 s of 8.05 were not held; what was before the failure in its own tick is held too.
        assertThat(after).isBetween((12.0 - 0.1) / 30, 12.0 / 30 + 1e-9);
    }

    @Test
    void it_does_not_end_early_while_it_stands_still() {
        advance(0, 9_000);
        for (int i = 0; i < 20; i++) start.answered();
        start.failed(START + 9 * SECOND);

        assertThat(start.share(WINDOW, 100, 100, START + 9 * SECOND)).isLessThan(1);
        assertThat(start.share(WINDOW, 100, 100, START + 14 * SECOND - 1)).isLessThan(1);
        assertThat(start.share(WINDOW, 100, 100, START + 14 * SECOND)).isEqualTo(1);
    }

    @Test
    void the_bias_is_the_rest_of_an_established_ones_own() {
        assertThat(SlowStart.biasMilli(0.1, 20_000)).isEqualTo(18_000);
        assertThat(SlowStart.biasMilli(0.25, 4_000)).isEqualTo(3_000);
        assertThat(SlowStart.biasMilli(0.5, 1)).isZero();
        assertThat(SlowStart.biasMilli(1, 20_000)).isZero();
        assertThat(SlowStart.biasMilli(0.1, 0)).isZero();
    }

    @Test
    void a_router_sends_its_part_of_one_and_a_half_times_the_share_two_in_all_and_one_each_at_least() {
        // 0.5 x 1.5 x 20
        assertThat(SlowStart.ownMost(0.5, 20_000, 1)).isEqualTo(15);
        assertThat(SlowStart.ownMost(0.5, 20_000, 4)).isEqualTo(4);
        assertThat(SlowStart.ownMost(1, 20_000, 1)).isEqualTo(30);
        // 0.1 x 1.5 x 20 = 3
        assertThat(SlowStart.ownMost(0.1, 20_000, 2)).isEqualTo(2);
        assertThat(SlowStart.ownMost(0.1, 20_000, 5)).isEqualTo(1);
        assertThat(SlowStart.ownMost(0.1, 0, 1)).isEqualTo(2);
        assertThat(SlowStart.ownMost(0.1, 0, 2)).isEqualTo(1);
        assertThat(SlowStart.ownMost(0.1, 0, 5)).isEqualTo(1);
    }

    private double shareAfter(long millis) {
        return start.share(WINDOW, 0, 0, START + millis * (SECOND / 1_000));
    }

    /** Looks each tick, as sweeps do; the share at the end. */
    private double advance(long fromMillis, long toMillis) {
        for (long at = fromMillis; at < toMillis; at += TICK / 1_000_000) shareAfter(at);
        return shareAfter(toMillis);
    }
}
