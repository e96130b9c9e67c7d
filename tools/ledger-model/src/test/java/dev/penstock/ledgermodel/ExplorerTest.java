package dev.penstock.ledgermodel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.ledger.Rule;
import dev.penstock.core.ledger.Rules;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ExplorerTest {
    private static final Bounds ONE_OWNER = new Bounds(2, 1, 1, 2, 1, 1, 1, false, false, false, true);

    @Test
    void every_state_of_two_routers_and_an_owner_is_safe() {
        Explorer.Found found = new Explorer(ONE_OWNER, Rules.ALL, new int[0], 2_000_000).explore();

        assertThat(found.violation()).isNull();
        assertThat(found.whole()).isTrue();
        assertThat(found.states()).isGreaterThan(100_000);
    }

    @Test
    void two_slots_beside_two_owners_and_a_limit_that_falls_and_rises_are_safe() {
        Bounds bounds = new Bounds(2, 1, 2, 3, 1, 2, 1, false, true, false, false);

        Explorer.Found found = new Explorer(bounds, Rules.ALL, new int[0], 400_000).explore();

        assertThat(found.violation())
                .as(() -> Explorer.told(bounds, Rules.ALL, found.path()))
                .isNull();
    }

    @Test
    void a_violation_is_told_by_its_fewest_steps() {
        Rules rules = Rules.without(Rule.CLOSING_IS_USED);

        Explorer.Found found = new Explorer(ONE_OWNER, rules, new int[0], 2_000_000).explore();

        assertThat(Explorer.told(ONE_OWNER, rules, found.path()))
                .contains("forget r0 i0", "grant o0 r1 i0")
                .contains("ENROLLED");
    }

    @Test
    void nothing_is_exceeded_and_nothing_lost_on_a_random_walk() {
        Bounds large = new Bounds(3, 3, 3, 4, 2, 3, 3, true, true, true, true);

        Walk.Result walked = new Walk(large, Rules.ALL).steps(200_000, new SplittableRandom(1));

        assertThat(walked.overshoot()).isZero();
        assertThat(walked.lostSlots()).isZero();
        assertThat(walked.admitted()).isGreaterThan(1_000);
    }
}
