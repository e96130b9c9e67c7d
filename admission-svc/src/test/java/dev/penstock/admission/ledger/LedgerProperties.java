package dev.penstock.admission.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class LedgerProperties {
    private static final int STEPS = 2_000;

    @Property(seed = "1", tries = 200)
    void no_limit_is_exceeded_whatever_breaks_and_all_slots_come_home_after_it(@ForAll long seed) {
        LedgerWalk walk = new LedgerWalk(seed);
        for (int i = 0; i < STEPS; i++) {
            walk.step();
            assertThat(walk.violation()).as("after step %d", i).isNull();
        }
        LedgerScene.Owner owner = walk.heal();
        assertThat(walk.violation()).isNull();
        walk.scene.numberToLimit.forEach((number, limit) -> {
            int held = 0;
            for (MemoryHolder each : walk.holders) held += each.held(number);
            assertThat(held).as("held of replica %d", number).isEqualTo(limit);
        });
        walk.leave(owner);
        walk.scene.numberToLimit.forEach((number, limit) -> {
            assertThat(owner.home(number)).as("home of replica %d", number).isEqualTo(limit);
            assertThat(owner.grantable(number)).isEqualTo(limit);
        });
    }
}
