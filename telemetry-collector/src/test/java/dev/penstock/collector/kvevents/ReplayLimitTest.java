package dev.penstock.collector.kvevents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReplayLimitTest {
    private final ManualClock clock = ManualClock.overflowingIn(Duration.ofSeconds(3));
    private final ReplayLimit limit = new ReplayLimit();

    @Test
    void an_engine_that_tells_nothing_is_not_waited_for() {
        limit.begin(clock.getAsLong());

        clock.advanceMillis(2_000);
        assertThat(limit.over(clock.getAsLong())).isFalse();
        clock.advanceMillis(1);
        assertThat(limit.over(clock.getAsLong())).isTrue();
    }

    @Test
    void a_slow_engine_is_asked_three_times_and_not_seven() {
        limit.begin(clock.getAsLong());
        int asked = 1;
        while (!limit.over(clock.getAsLong())) {
            clock.advanceMillis(10);
            if (limit.askAgain(clock.getAsLong())) {
                limit.askedAgain(clock.getAsLong());
                asked++;
            }
        }

        assertThat(asked).isEqualTo(3);
    }

    @Test
    void what_still_comes_is_taken_for_a_minute() {
        limit.begin(clock.getAsLong());

        for (int i = 0; i < 40; i++) {
            clock.advanceMillis(1_500);
            assertThat(limit.over(clock.getAsLong())).isFalse();
            limit.moved(clock.getAsLong());
        }
        clock.advanceMillis(1);
        assertThat(limit.over(clock.getAsLong())).isTrue();
    }
}
