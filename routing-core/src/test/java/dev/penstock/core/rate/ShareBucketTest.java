package dev.penstock.core.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ShareBucketTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void a_share_passes_its_part_of_the_rate_and_of_the_burst() {
        ShareBucket bucket = new ShareBucket(new RateLimit(200_000), 0);
        bucket.add(250, 0, 0);

        assertThat(passed(bucket, SECOND)).isEqualTo(5);
        int passed = 0;
        for (long now = SECOND + 1; now <= 2 * SECOND; now += SECOND / 1_000) if (bucket.tryAcquire(now)) passed++;
        assertThat(passed).isBetween(48, 50);
        assertThat(passed(bucket, 3 * SECOND)).isEqualTo(5);
    }

    @Test
    void a_share_takes_its_part_of_the_fill_along_and_brings_it_back() {
        ShareBucket bucket = new ShareBucket(new RateLimit(200_000), 0);
        bucket.add(1_000, 10_000_000, 0);

        long along = bucket.remove(600, 0);
        assertThat(along).isEqualTo(6_000_000);
        assertThat(bucket.fillMicros(0)).isEqualTo(4_000_000);
        bucket.add(600, along, 0);

        assertThat(bucket.fillMicros(0)).isEqualTo(10_000_000);
        assertThat(passed(bucket, 0)).isEqualTo(10);
    }

    @Test
    void a_share_that_moves_back_and_forth_fills_nothing() {
        ShareBucket bucket = new ShareBucket(new RateLimit(200_000), 0);
        bucket.add(1_000, 0, 0);
        for (int i = 0; i < 1_000; i++) bucket.add(300, bucket.remove(300, 0), 0);

        assertThat(passed(bucket, 0)).isZero();
    }

    @Test
    void less_than_a_lot_passes_nothing_however_long_it_fills() {
        RateLimit limit = new RateLimit(20_000);
        ShareBucket bucket = new ShareBucket(limit, 0);
        bucket.add(limit.lot() - 1, 0, 0);
        assertThat(bucket.tryAcquire(100 * SECOND)).isFalse();
        assertThat(bucket.waitNanos(100 * SECOND)).isEqualTo(Long.MAX_VALUE);

        bucket.add(1, 0, 100 * SECOND);

        assertThat(passed(bucket, 101 * SECOND)).isEqualTo(1);
    }

    @Test
    void a_fifth_of_a_request_per_second_passes_one_each_five_seconds() {
        ShareBucket bucket = new ShareBucket(new RateLimit(200), 0);
        bucket.add(1_000, 0, 0);

        assertThat(bucket.tryAcquire(5 * SECOND - 1)).isFalse();
        assertThat(bucket.waitNanos(5 * SECOND - 1)).isEqualTo(1);
        assertThat(passed(bucket, 5 * SECOND)).isEqualTo(1);
        assertThat(bucket.waitNanos(5 * SECOND)).isEqualTo(5 * SECOND);
        assertThat(passed(bucket, 60 * SECOND)).isEqualTo(1);
    }

    @Test
    void a_lower_limit_keeps_of_the_fill_what_its_burst_holds() {
        ShareBucket bucket = new ShareBucket(new RateLimit(200_000), 0);
        bucket.add(500, 10_000_000, 0);

        bucket.limit(new RateLimit(100_000), 0);

        assertThat(passed(bucket, 0)).isEqualTo(5);
    }

    @Test
    void limit_zero_passes_nothing() {
        ShareBucket bucket = new ShareBucket(new RateLimit(0), 0);
        bucket.add(1_000, 1_000_000, 0);

        assertThat(bucket.tryAcquire(SECOND)).isFalse();
        assertThat(bucket.waitNanos(SECOND)).isEqualTo(Long.MAX_VALUE);
    }

    /** The clock stands still: what passes is the fill that was there, however the shares move meanwhile. */
    @Test
    void a_fill_is_spent_once_while_shares_move_under_two_threads() throws InterruptedException {
        ShareBucket bucket = new ShareBucket(new RateLimit(2_000_000), 0);
        bucket.add(1_000, 200_000_000, 0);
        AtomicInteger passed = new AtomicInteger();
        Runnable asking = () -> {
            for (int i = 0; i < 200_000; i++) if (bucket.tryAcquire(0)) passed.incrementAndGet();
        };
        Thread one = Thread.ofPlatform().start(asking);
        Thread other = Thread.ofPlatform().start(asking);
        while (one.isAlive() || other.isAlive()) bucket.add(10, bucket.remove(10, 0), 0);
        one.join();
        other.join();

        assertThat(passed.get() + bucket.fillMicros(0) / 1_000_000).isBetween(190L, 200L);
    }

    private static int passed(ShareBucket bucket, long nowNanos) {
        int passed = 0;
        while (bucket.tryAcquire(nowNanos)) passed++;
        return passed;
    }
}
