package dev.penstock.core.quarantine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FailureSumTest {
    private final SplittableRandom random = new SplittableRandom(11);

    @Test
    void steps_follow_the_formula() {
        // pb = 0.01, p1 = 0.2
        assertThat(FailureOdds.QUIET.failureStep()).isEqualTo(Math.log(20), within(1e-12));
        assertThat(FailureOdds.QUIET.successStep()).isEqualTo(Math.log(0.99 / 0.8), within(1e-12));
        // 1.5 x 20 % is clamped to 15 %: p1 = 0.6
        FailureOdds sick = FailureOdds.ofMedian(0.2);
        assertThat(sick.failureStep()).isEqualTo(Math.log(4), within(1e-12));
        assertThat(sick.successStep()).isEqualTo(Math.log(0.85 / 0.4), within(1e-12));
    }

    @Test
    void a_replica_that_fails_every_other_request_is_shut_at_its_fifth_failure() {
        Quarantine state = Quarantine.CLEAR;
        int failures = 0;
        while (!(state instanceof Quarantine.Shut)) {
            state = state.failed(FailureOdds.QUIET.failureStep(), 0, random);
            failures++;
            state = state.succeeded(FailureOdds.QUIET.successStep());
        }

        // 5 x 3.00 - 4 x 0.21 = 14.1
        assertThat(failures).isEqualTo(5);
    }

    @Test
    void a_replica_that_fails_as_rarely_as_the_rest_is_never_shut() {
        Quarantine state = Quarantine.CLEAR;
        for (int i = 0; i < 200_000; i++) {
            state = random.nextDouble() < 0.002
                    ? state.failed(FailureOdds.QUIET.failureStep(), 0, random)
                    : state.succeeded(FailureOdds.QUIET.successStep());
            assertThat(state).isInstanceOf(Quarantine.Clear.class);
        }
    }

    @Test
    void failed_connects_leave_the_sum_alone() {
        Quarantine state = Quarantine.CLEAR;
        for (int i = 0; i < 100; i++) {
            state = state.failed(0, 0, random);
            state = state.succeeded(FailureOdds.QUIET.successStep());
        }

        assertThat(state).isEqualTo(Quarantine.CLEAR);
    }
}
