package dev.penstock.core.rate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.rate.FallingLimit.Because;
import org.junit.jupiter.api.Test;

class FallingLimitTest {
    private static final long SECOND = 1_000_000_000L;
    private final FallingLimit limit = new FallingLimit(200_000, 0);

    @Test
    void ejections_lower_it_over_five_seconds() {
        limit.becomes(100_000, Because.EJECTIONS, 0);

        assertThat(limit.now(0).milliRps()).isEqualTo(200_000);
        assertThat(limit.now(SECOND).milliRps()).isEqualTo(180_000);
        assertThat(limit.now(5 * SECOND).milliRps()).isEqualTo(100_000);
        assertThat(limit.now(9 * SECOND).milliRps()).isEqualTo(100_000);
    }

    @Test
    void it_rises_at_once() {
        limit.becomes(100_000, Because.EJECTIONS, 0);
        limit.becomes(300_000, Because.EJECTIONS, SECOND);

        assertThat(limit.now(SECOND).milliRps()).isEqualTo(300_000);
    }

    @Test
    void a_flap_of_two_seconds_takes_two_fifths_of_it() {
        limit.becomes(100_000, Because.EJECTIONS, 0);
        assertThat(limit.now(2 * SECOND).milliRps()).isEqualTo(160_000);

        limit.becomes(200_000, Because.EJECTIONS, 2 * SECOND);

        assertThat(limit.now(2 * SECOND).milliRps()).isEqualTo(200_000);
    }

    @Test
    void saying_it_again_does_not_begin_the_five_seconds_anew() {
        for (int i = 0; i < 50; i++) limit.becomes(100_000, Because.EJECTIONS, i * SECOND / 10);

        assertThat(limit.now(5 * SECOND).milliRps()).isEqualTo(100_000);
    }

    @Test
    void panic_keeps_it_and_a_policy_does_not_wait() {
        limit.becomes(20_000, Because.PANIC, 0);
        assertThat(limit.now(10 * SECOND).milliRps()).isEqualTo(200_000);

        limit.becomes(50_000, Because.POLICY, 10 * SECOND);

        assertThat(limit.now(10 * SECOND).milliRps()).isEqualTo(50_000);
    }
}
