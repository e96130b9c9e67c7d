package dev.penstock.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SharesTest {
    private final Shares shares = new Shares();

    private boolean divide(int slots, int restsAt, double[] needs, double... weights) {
        shares.of(needs.length);
        for (int i = 0; i < needs.length; i++) shares.holder(i, needs[i], weights[i]);
        return shares.divide(slots, restsAt);
    }

    private void are(double... expected) {
        for (int i = 0; i < expected.length; i++)
            assertThat(shares.share(i)).as("holder %d", i).isCloseTo(expected[i], within(1e-9));
    }

    private static double[] needs(double... needs) {
        return needs;
    }

    @Test
    void what_nobody_needs_goes_by_demand() {
        assertThat(divide(24, 0, needs(10, 4), 3, 1)).isTrue();

        are(10 + 7.5, 4 + 2.5);
    }

    @Test
    void everybody_has_one_where_there_are_enough() {
        assertThat(divide(4, 0, needs(0, 0, 8), 1, 1, 10)).isFalse();

        are(1, 1, 2);
    }

    @Test
    void needs_that_do_not_fit_are_met_from_the_least_up() {
        assertThat(divide(10, 0, needs(2, 8, 9), 1, 1, 1)).isFalse();

        are(2, 4, 4);
    }

    @Test
    void the_level_rises_with_the_weight() {
        assertThat(divide(12, 0, needs(20, 20), 2, 1)).isFalse();

        are(8, 4);
    }

    @Test
    void fewer_slots_than_holders_rest_at_one_of_them() {
        assertThat(divide(2, 1, needs(0.25, 0, 0), 5, 1, 1)).isTrue();

        are(0.25, 1.75, 0);
    }
}
