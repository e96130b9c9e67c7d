package dev.penstock.core.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class GcraTest {
    private static final long SECOND = 1_000_000_000L;

    /** In any span no more than rate x span + burst pass, whatever comes; and under overload nearly as much does. */
    @Property(tries = 200, seed = "1")
    void admits_the_rate_and_no_more(@ForAll @IntRange(min = 1, max = 200) int rps, @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Gcra gate = new Gcra(rps * 1_000L, 0);
        long now = 0;
        int admitted = 0;
        while (now < 20 * SECOND) {
            now += random.nextLong(1, SECOND / rps);
            if (gate.tryAcquire(now)) admitted++;
        }

        assertThat(admitted).isBetween(20 * rps - 1, (int) Math.ceil(20.0 * rps + 0.5 * rps) + 1);
    }

    @Test
    void says_when_to_come_back_and_means_it() {
        Gcra gate = new Gcra(2_000, 0);
        assertThat(gate.tryAcquire(0)).isTrue();
        assertThat(gate.tryAcquire(0)).isTrue();
        assertThat(gate.tryAcquire(0)).isFalse();

        long wait = gate.waitNanos(0);

        assertThat(wait).isEqualTo(SECOND / 2);
        assertThat(gate.tryAcquire(wait - 1)).isFalse();
        assertThat(gate.tryAcquire(wait)).isTrue();
    }

    @Test
    void rate_zero_admits_nothing_until_it_is_raised() {
        Gcra gate = new Gcra(0, 0);
        assertThat(gate.tryAcquire(SECOND)).isFalse();
        assertThat(gate.waitNanos(SECOND)).isEqualTo(Long.MAX_VALUE);

        gate.rate(1_000);

        assertThat(gate.tryAcquire(SECOND)).isTrue();
    }
}
