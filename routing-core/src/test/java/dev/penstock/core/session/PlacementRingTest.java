package dev.penstock.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementRingTest {
    private static final int KEYS = 100_000;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 64, 2_000})
    void targets_are_as_many_as_asked_and_each_once(int replicas) {
        PlacementRing ring = PlacementRing.of(numbers(replicas));
        int[] out = new int[8];
        SplittableRandom random = new SplittableRandom(replicas);

        for (int i = 0; i < 1_000; i++) {
            int found = ring.targets(random.nextLong(), out);

            assertThat(found).isEqualTo(Math.min(8, replicas));
            assertThat(Arrays.stream(out, 0, found).distinct().count()).isEqualTo(found);
            assertThat(Arrays.stream(out, 0, found)).allMatch(slot -> slot >= 0 && slot < replicas);
        }
    }

    @Test
    void ring_of_nobody_has_no_target() {
        assertThat(PlacementRing.of(new int[0]).targets(1, new int[2])).isZero();
    }

    @Test
    void fewer_targets_are_the_first_of_more() {
        PlacementRing ring = PlacementRing.of(numbers(100));
        int[] two = new int[2];
        int[] eight = new int[8];

        for (long key = 1; key < 1_000; key++) {
            ring.targets(key, two);
            ring.targets(key, eight);
            assertThat(two).containsExactly(eight[0], eight[1]);
        }
    }

    @Test
    void order_of_the_roster_does_not_matter() {
        int[] numbers = numbers(50);
        int[] reversed = IntStream.range(0, 50).map(i -> numbers[49 - i]).toArray();
        PlacementRing one = PlacementRing.of(numbers);
        PlacementRing other = PlacementRing.of(reversed);
        int[] a = new int[4];
        int[] b = new int[4];

        for (long key = 1; key < 1_000; key++) {
            one.targets(key, a);
            other.targets(key, b);
            for (int i = 0; i < 4; i++) assertThat(numbers[a[i]]).isEqualTo(reversed[b[i]]);
        }
    }

    /** Most of 2,000 replicas: 1.23 when measured with 2,000,000 keys; the rest is chance with 50 keys each. */
    @ParameterizedTest
    @ValueSource(ints = {4, 16, 64, 200})
    void first_targets_are_even(int replicas) {
        int[] counts = firstTargets(PlacementRing.of(numbers(replicas)), replicas);

        double mean = (double) KEYS / replicas;
        assertThat(Arrays.stream(counts).max().orElseThrow() / mean).isLessThan(1.35);
        assertThat(Arrays.stream(counts).min().orElseThrow() / mean).isGreaterThan(0.5);
    }

    @Test
    void newcomer_takes_its_share_and_moves_nothing_else() {
        int[] before = numbers(100);
        int[] after = numbers(101);
        PlacementRing small = PlacementRing.of(before);
        PlacementRing large = PlacementRing.of(after);
        int[] a = new int[1];
        int[] b = new int[1];
        int taken = 0;

        for (long key = 1; key <= KEYS; key++) {
            small.targets(key, a);
            large.targets(key, b);
            if (after[b[0]] == after[100]) taken++;
            else assertThat(after[b[0]]).isEqualTo(before[a[0]]);
        }

        assertThat((double) taken / KEYS).isBetween(0.5 / 101, 1.5 / 101);
    }

    @Test
    void keys_of_one_that_goes_are_spread_over_the_others() {
        int[] all = numbers(50);
        PlacementRing ring = PlacementRing.of(all);
        int[] out = new int[2];
        int[] heirs = new int[50];
        int of = 0;

        for (long key = 1; key <= 20L * KEYS; key++) {
            ring.targets(key, out);
            if (out[0] != 0) continue;
            of++;
            heirs[out[1]]++;
        }

        assertThat(Arrays.stream(heirs).max().orElseThrow()).isLessThan(of * 4 / 49);
    }

    private static int[] firstTargets(PlacementRing ring, int replicas) {
        int[] counts = new int[replicas];
        int[] out = new int[1];
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < KEYS; i++) {
            ring.targets(random.nextLong(), out);
            counts[out[0]]++;
        }
        return counts;
    }

    /** With gaps, as rosters have them. */
    private static int[] numbers(int replicas) {
        return IntStream.range(0, replicas).map(i -> 3 * i + 1).toArray();
    }
}
