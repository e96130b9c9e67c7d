package dev.penstock.core.pick;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WarmthTest {
    /** A pin's credit has the queue in it that a new replica's score is raised by: weights may make it any size. */
    @Test
    void a_credit_beyond_all_bounds_is_the_most_there_is() {
        int most = Warmth.creditMilli(Warmth.of(1_000, Warmth.Tie.PINNED, 1 << 20));

        for (long creditMilli : new long[] {1L << 31, 1L << 32, Long.MAX_VALUE}) {
            int warmth = Warmth.of(1_000, Warmth.Tie.PINNED, creditMilli);
            assertThat(Warmth.creditMilli(warmth)).isEqualTo(most);
            assertThat(Warmth.tie(warmth)).isEqualTo(Warmth.Tie.PINNED);
            assertThat(Warmth.hitMilli(warmth)).isEqualTo(1_000);
        }
        assertThat(Warmth.creditMilli(Warmth.of(0, Warmth.Tie.NONE, 1_500))).isEqualTo(1_500);
    }
}
