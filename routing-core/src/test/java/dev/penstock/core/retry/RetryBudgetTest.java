package dev.penstock.core.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RetryBudgetTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void one_retry_is_granted_even_where_nobody_asked_for_anything() {
        RetryBudget budget = new RetryBudget(0);

        assertThat(budget.tryRetry(0)).isTrue();
        assertThat(budget.tryRetry(0)).isFalse();
    }

    @Test
    void a_tenth_of_the_requests_may_be_retried() {
        RetryBudget budget = new RetryBudget(0.1);
        ask(budget, 39, 0);

        assertThat(granted(budget, 100, 0)).isEqualTo(3);

        ask(budget, 1, 0);
        assertThat(granted(budget, 100, 0)).isEqualTo(1);
    }

    @Test
    void a_share_of_a_decimal_is_that_decimal() {
        // 0.29 x 100 is 28.999999999999996 in binary
        RetryBudget budget = new RetryBudget(0.29);
        ask(budget, 100, 0);

        assertThat(granted(budget, 100, 0)).isEqualTo(29);
    }

    @Test
    void requests_count_for_ten_seconds_and_so_do_retries() {
        RetryBudget budget = new RetryBudget(0.1);
        ask(budget, 50, 3 * SECOND);
        assertThat(granted(budget, 9, 4 * SECOND)).isEqualTo(5);

        assertThat(budget.tryRetry(13 * SECOND - 1)).isFalse();
        // the requests have left the window, the retries not yet
        assertThat(budget.tryRetry(13 * SECOND)).isFalse();
        assertThat(budget.tryRetry(14 * SECOND)).isTrue();
        assertThat(budget.tryRetry(14 * SECOND)).isFalse();
    }

    @Test
    void another_share_counts_what_was_granted_before() {
        RetryBudget budget = new RetryBudget(0.1);
        ask(budget, 100, 0);
        assertThat(granted(budget, 100, 0)).isEqualTo(10);

        budget.share(0.05);
        assertThat(budget.tryRetry(0)).isFalse();

        budget.share(0.12);
        assertThat(granted(budget, 100, 0)).isEqualTo(2);
    }

    @Test
    void a_clock_that_jumps_back_grants_nothing_twice() {
        RetryBudget budget = new RetryBudget(0.1);
        ask(budget, 40, 100 * SECOND);
        assertThat(granted(budget, 9, 100 * SECOND)).isEqualTo(4);

        assertThat(budget.tryRetry(0)).isFalse();
        ask(budget, 20, 0);
        assertThat(granted(budget, 9, 0)).isEqualTo(2);
    }

    @Test
    void a_clock_that_jumps_ahead_starts_anew() {
        RetryBudget budget = new RetryBudget(0.5);
        ask(budget, 40, -5 * SECOND);
        assertThat(granted(budget, 99, -5 * SECOND)).isEqualTo(20);

        assertThat(granted(budget, 99, Long.MAX_VALUE)).isEqualTo(1);
        ask(budget, 8, Long.MAX_VALUE);
        assertThat(granted(budget, 99, Long.MAX_VALUE)).isEqualTo(3);
    }

    @Test
    void a_share_beyond_its_bounds_is_refused() {
        assertThatThrownBy(() -> new RetryBudget(1.1)).hasMessage("share: 1.1, expected 0 to 1");
        assertThatThrownBy(() -> new RetryBudget(Double.NaN)).hasMessage("share: NaN, expected 0 to 1");
    }

    private static void ask(RetryBudget budget, int requests, long nowNanos) {
        for (int i = 0; i < requests; i++) budget.request(nowNanos);
    }

    private static int granted(RetryBudget budget, int tries, long nowNanos) {
        int granted = 0;
        for (int i = 0; i < tries; i++) if (budget.tryRetry(nowNanos)) granted++;
        return granted;
    }
}
