package dev.penstock.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class SharesProperties {
    private static final int DRAWS = 4_000;

    private final Shares shares = new Shares();
    private final double[] needs = new double[8];
    private final double[] weights = new double[8];

    private boolean divide(int slots, int holders, boolean whole, SplittableRandom random) {
        shares.of(holders);
        for (int i = 0; i < holders; i++) {
            double need = random.nextDouble(0, 1 + 2.0 * slots / holders);
            needs[i] = whole ? (int) need : need;
            weights[i] = random.nextDouble(1, 500);
            shares.holder(i, needs[i], weights[i]);
        }
        return shares.divide(slots, random.nextInt(holders));
    }

    @Property(tries = 1_000, seed = "1")
    void targets_add_up_to_the_slots_and_are_next_to_the_shares(
            @ForAll @IntRange(max = 2_000) int slots,
            @ForAll @IntRange(min = 1, max = 8) int holders,
            @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        divide(slots, holders, false, random);

        shares.round(slots, random);

        int targets = 0;
        double exact = 0;
        for (int i = 0; i < holders; i++) {
            targets += shares.target(i);
            exact += shares.share(i);
            assertThat((double) shares.target(i)).isCloseTo(shares.share(i), within(1 + 1e-6));
        }
        assertThat(targets).isEqualTo(slots);
        assertThat(exact).isCloseTo(slots, within(1e-6));
    }

    @Property(tries = 1_000, seed = "1")
    void needs_are_met_when_they_fit_and_everybody_has_one_when_there_are_enough(
            @ForAll @IntRange(max = 2_000) int slots,
            @ForAll @IntRange(min = 1, max = 8) int holders,
            @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        boolean fit = divide(slots, holders, true, random);

        shares.round(slots, random);

        for (int i = 0; i < holders; i++) {
            if (fit) assertThat(shares.target(i)).isGreaterThanOrEqualTo((int) needs[i]);
            if (slots >= holders) assertThat(shares.target(i)).isPositive();
        }
    }

    @Property(tries = 1_000, seed = "1")
    void who_gets_less_than_it_needs_has_no_less_per_weight_than_anybody(
            @ForAll @IntRange(min = 1, max = 2_000) int slots,
            @ForAll @IntRange(min = 1, max = 8) int holders,
            @ForAll long seed) {
        if (divide(slots, holders, false, new SplittableRandom(seed))) return;
        int floor = slots >= holders ? 1 : 0;

        for (int i = 0; i < holders; i++) {
            assertThat(shares.share(i)).isLessThanOrEqualTo(Math.max(floor, needs[i]) + 1e-9);
            if (shares.share(i) > needs[i] - 1e-9) continue;
            for (int j = 0; j < holders; j++)
                if (shares.share(j) > floor + 1e-9)
                    assertThat(shares.share(i) / weights[i]).isGreaterThan(shares.share(j) / weights[j] - 1e-9);
        }
    }

    @Property(tries = 20, seed = "1")
    void the_mean_of_many_draws_is_the_share(
            @ForAll @IntRange(min = 1, max = 24) int slots,
            @ForAll @IntRange(min = 2, max = 6) int holders,
            @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        divide(slots, holders, false, random);
        long[] sums = new long[holders];

        for (int draw = 0; draw < DRAWS; draw++) {
            shares.round(slots, random);
            for (int i = 0; i < holders; i++) sums[i] += shares.target(i);
        }

        // five standard errors of a draw between two neighbours
        for (int i = 0; i < holders; i++)
            assertThat((double) sums[i] / DRAWS).isCloseTo(shares.share(i), within(5 * 0.5 / Math.sqrt(DRAWS)));
    }
}
