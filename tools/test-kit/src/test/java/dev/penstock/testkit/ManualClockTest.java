package dev.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ManualClockTest {
    @Test
    void never_starts_at_zero() {
        assertThat(new ManualClock().getAsLong()).isNotZero();
    }

    @Test
    void moves_only_when_advanced() {
        ManualClock clock = ManualClock.startingAt(100);

        clock.advance(Duration.ofMillis(2)).advanceMillis(3).advanceNanos(7);

        assertThat(clock.getAsLong()).isEqualTo(5_000_107);
    }

    @Test
    void wraps_when_started_near_overflow() {
        ManualClock clock = ManualClock.overflowingIn(Duration.ofSeconds(1));
        long before = clock.getAsLong();

        clock.advance(Duration.ofSeconds(2));

        assertThat(clock.getAsLong()).isNegative();
        assertThat(clock.getAsLong() - before).isEqualTo(2_000_000_000L);
    }

    @Test
    void refuses_to_go_back() {
        assertThatThrownBy(() -> new ManualClock().advanceNanos(-1)).hasMessageContaining("-1");
    }
}
