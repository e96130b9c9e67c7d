package dev.penstock.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class DistributionProperties {
    @Property(tries = 200, seed = "1")
    void no_schedule_exceeds_a_limit_or_loses_a_slot(
            @ForAll @IntRange(min = 1, max = 5) int holders,
            @ForAll @IntRange(min = 1, max = 6) int limit,
            @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        HeldPool pool = new HeldPool(holders, 3, limit, seed);
        for (int step = 0; step < 400; step++) {
            int holder = random.nextInt(holders);
            int replica = random.nextInt(3);
            switch (random.nextInt(6)) {
                case 0 -> pool.rebalance();
                case 1 -> pool.report(holder, random.nextInt(4), random.nextInt(10));
                case 2 -> pool.ask(holder, 1);
                case 3, 4 -> pool.admit(holder, replica);
                default -> {
                    if (pool.used(holder, replica) > 0) pool.release(holder, replica);
                }
            }
            for (int i = 0; i < 3; i++) {
                int held = 0;
                for (int g = 0; g < holders; g++) held += pool.held(g, i);
                assertThat(held + pool.owner.home(i)).isEqualTo(limit);
            }
        }
    }

    @Property(tries = 200, seed = "1")
    void an_ask_gets_a_slot_wherever_one_is_spare(
            @ForAll @IntRange(min = 2, max = 5) int holders,
            @ForAll @IntRange(min = 1, max = 6) int limit,
            @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        HeldPool pool = busy(holders, limit, random);
        int asker = random.nextInt(holders);
        for (int i = 0; i < 3; i++) while (pool.admit(asker, i)) {}
        for (int g = 0; g < holders; g++) pool.report(g, 0, 0);
        int spare = 0;
        for (int g = 0; g < holders; g++) for (int i = 0; i < 3; i++) spare += pool.held(g, i) - pool.used(g, i);

        pool.ask(asker, 1);

        int got = 0;
        for (int i = 0; i < 3; i++) while (pool.admit(asker, i)) got++;
        assertThat(got).isEqualTo(Math.min(1, spare));
    }

    @Property(tries = 200, seed = "1")
    void slots_come_to_rest_when_nobody_waits(
            @ForAll @IntRange(min = 1, max = 5) int holders,
            @ForAll @IntRange(min = 1, max = 30) int limit,
            @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        HeldPool pool = busy(holders, limit, random);
        int[] arrivals = new int[holders];
        for (int g = 0; g < holders; g++) arrivals[g] = random.nextInt(50);
        for (int period = 0; period < 30; period++) period(pool, arrivals);
        pool.sent.clear();

        for (int period = 0; period < 10; period++) period(pool, arrivals);

        assertThat(pool.sent).isEmpty();
    }

    private static void period(HeldPool pool, int[] arrivals) {
        for (int g = 0; g < arrivals.length; g++) pool.report(g, 0, arrivals[g]);
        pool.rebalance();
    }

    /** Some slots of three replicas are in use. */
    private static HeldPool busy(int holders, int limit, SplittableRandom random) {
        HeldPool pool = new HeldPool(holders, 3, limit, random.nextLong());
        period(pool, new int[holders]);
        for (int n = random.nextInt(3 * limit + 1); n > 0; n--) pool.admit(random.nextInt(holders), random.nextInt(3));
        return pool;
    }
}
