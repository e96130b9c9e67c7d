package dev.penstock.core.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** {@link ShareFleet} judges each step: conservation, and rate x T + max(1, B) above any window T. */
class ShareProperties {
    private enum Kind {
        CUT,
        OPEN,
        NEW_OWNER,
        QUIET,
        EAGER
    }

    record Change(Kind kind, int holder, int millisUntilNext) {}

    @Provide
    Arbitrary<List<Change>> schedules() {
        return Combinators.combine(
                        Arbitraries.of(Kind.values()),
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.integers().between(0, 1_500))
                .as(Change::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(20);
    }

    @Provide
    Arbitrary<Long> limits() {
        return Arbitraries.of(200L, 1_000L, 5_000L, 9_900L, 15_000L, 25_000L, 31_000L, 50_000L, 200_000L);
    }

    @Property(tries = 150, seed = "1")
    void holders_together_never_admit_more_than_one_bucket_of_the_limit(
            @ForAll("limits") long milliRps, @ForAll("schedules") List<Change> schedule, @ForAll long seed) {
        play(new ShareFleet(milliRps, seed), schedule);
    }

    @Property(tries = 100, seed = "1")
    void all_shares_are_in_use_again_once_all_streams_are_back(
            @ForAll("limits") long milliRps, @ForAll("schedules") List<Change> schedule, @ForAll long seed) {
        ShareFleet fleet = new ShareFleet(milliRps, seed);
        play(fleet, schedule);
        for (int i = 0; i < 3; i++) {
            fleet.pull(i, 1);
            fleet.open(i);
        }
        fleet.run(1_000);
        long before = fleet.admitted;

        fleet.run(20_000);

        // a move is on its way for up to 80 ms, and a turn is 1 s at the least
        assertThat((double) (fleet.admitted - before))
                .isBetween(Math.floor(0.9 * fleet.expected(20_000)) - 1, fleet.expected(20_000) + 20);
    }

    private static void play(ShareFleet fleet, List<Change> schedule) {
        fleet.run(500);
        for (Change change : schedule) {
            switch (change.kind()) {
                case CUT -> fleet.cut(change.holder());
                case OPEN -> fleet.open(change.holder());
                case NEW_OWNER -> fleet.claim();
                case QUIET -> fleet.pull(change.holder(), 0.01);
                case EAGER -> fleet.pull(change.holder(), 1);
            }
            fleet.run(change.millisUntilNext());
        }
    }
}
