package dev.penstock.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class RetryBudgetProperties {
    private static final long SECOND = 1_000_000_000L;
    private static final int THREADS = 4;

    /** Every request and every retry, by its second; a clock that is behind counts for the latest. */
    private static final class Naive {
        private final List<Long> requests = new ArrayList<>();
        private final List<Long> retries = new ArrayList<>();
        private long latest = Long.MIN_VALUE;

        long second(long nowNanos) {
            latest = Math.max(latest, Math.floorDiv(nowNanos, SECOND));
            return latest;
        }

        boolean tryRetry(long nowNanos, BigDecimal share) {
            long second = second(nowNanos);
            boolean grants = within(retries, second) < limit(second, share);
            if (grants) retries.add(second);
            return grants;
        }

        long limit(long second, BigDecimal share) {
            BigDecimal part = share.multiply(BigDecimal.valueOf(within(requests, second)));
            return Math.max(1, part.setScale(0, RoundingMode.FLOOR).longValueExact());
        }

        static long within(List<Long> seconds, long last) {
            return seconds.stream()
                    .filter(each -> each > last - RetryBudget.SECONDS && each <= last)
                    .count();
        }
    }

    @Property(tries = 300, seed = "1")
    void grants_what_a_list_of_all_requests_would(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        BigDecimal share = BigDecimal.valueOf(random.nextInt(0, 101), 2);
        RetryBudget budget = new RetryBudget(share.doubleValue());
        Naive naive = new Naive();
        long now = random.nextLong(-100 * SECOND, 100 * SECOND);
        for (int i = 0; i < 600; i++) {
            switch (random.nextInt(40)) {
                case 0 -> now += random.nextLong(30 * SECOND);
                case 1 -> now -= random.nextLong(30 * SECOND);
                case 2 -> {
                    share = BigDecimal.valueOf(random.nextInt(0, 101), 2);
                    budget.share(share.doubleValue());
                }
                default -> now += random.nextLong(SECOND / 5);
            }
            if (random.nextInt(3) > 0) {
                budget.request(now);
                naive.requests.add(naive.second(now));
            } else {
                assertThat(budget.tryRetry(now)).isEqualTo(naive.tryRetry(now, share));
            }
        }
    }

    @Property(tries = 300, seed = "1")
    void never_grants_more_than_its_share_of_a_windows_requests_and_one(
            @ForAll @IntRange(min = 0, max = 100) int percent, @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        BigDecimal share = BigDecimal.valueOf(percent, 2);
        RetryBudget budget = new RetryBudget(share.doubleValue());
        Naive seen = new Naive();
        long now = 0;
        for (int i = 0; i < 600; i++) {
            now += random.nextLong(SECOND / 5);
            long second = seen.second(now);
            budget.request(now);
            seen.requests.add(second);
            // granted while more requests were in the window
            long before = Naive.within(seen.retries, second);
            while (budget.tryRetry(now)) seen.retries.add(second);
            // an impatient caller gets all of it, and not one more
            assertThat(Naive.within(seen.retries, second)).isEqualTo(Math.max(before, seen.limit(second, share)));
        }
    }

    @Property(tries = 60, seed = "1")
    void event_loops_that_ask_at_once_are_granted_no_more_than_one_would_be(
            @ForAll @IntRange(min = 0, max = 400) int requests, @ForAll @IntRange(min = 0, max = 100) int percent)
            throws Exception {
        RetryBudget budget = new RetryBudget(percent / 100.0);
        List<Integer> granted = together(thread -> {
            int mine = 0;
            for (int i = thread; i < requests; i += THREADS) budget.request(5 * SECOND);
            // half of the event loops see the next second already
            for (int i = 0; i < 500; i++) if (budget.tryRetry((5 + thread % 2) * SECOND)) mine++;
            return mine;
        });

        int sum = granted.stream().mapToInt(Integer::intValue).sum();
        assertThat(sum).isEqualTo(Math.max(1, requests * percent / 100));
    }

    @Property(tries = 20, seed = "1")
    void no_request_is_lost_while_seconds_pass(@ForAll @IntRange(min = 1, max = 9) int seconds) throws Exception {
        RetryBudget budget = new RetryBudget(1);
        int each = 2_000;
        together(thread -> {
            for (int i = 0; i < each; i++) budget.request((long) i * seconds * SECOND / each);
            return 0;
        });

        int granted = 0;
        while (budget.tryRetry((seconds - 1) * SECOND)) granted++;
        assertThat(granted).isEqualTo(THREADS * each);
    }

    private interface Work {
        int run(int thread) throws Exception;
    }

    private static List<Integer> together(Work work) throws Exception {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        List<Integer> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<Integer>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                running.add(threads.submit(() -> {
                    start.await();
                    return work.run(thread);
                }));
            }
            for (Future<Integer> each : running) results.add(each.get());
        }
        return results;
    }
}
