package dev.penstock.core.quarantine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class QuarantineProperties {
    @Property(seed = "1")
    void only_a_trials_success_ends_a_quarantine(
            @ForAll @Size(max = 60) List<@IntRange(min = 0, max = 5) Integer> events, @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Quarantine state = Quarantine.CLEAR;
        long now = 0;
        int inRow = 0;
        for (int event : events) {
            now += 100_000_000L;
            Quarantine before = state;
            state = apply(state, event, now, random);
            if (before instanceof Quarantine.Clear) {
                inRow = event == 0 ? inRow + 1 : event == 1 ? 0 : inRow;
                assertThat(state instanceof Quarantine.Shut)
                        .isEqualTo(event == 5 || inRow == Quarantine.FAILURES_IN_ROW);
            } else {
                inRow = 0;
                if (state instanceof Quarantine.Clear) {
                    assertThat(before).isInstanceOf(Quarantine.Trial.class);
                    assertThat(event).isEqualTo(1);
                }
            }
        }
    }

    @Property(seed = "1")
    void the_wait_grows_to_ten_seconds_and_no_further(
            @ForAll @IntRange(min = 0, max = 40) int returns, @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Quarantine.Shut shut = new Quarantine.Shut(returns, 0, 0, 1);

        Quarantine.Shut next = (Quarantine.Shut) shut.connectFailed(0, random);

        double nominal = Math.min(10e9, 0.5e9 * Math.pow(2, returns + 1));
        assertThat((double) next.untilNanos()).isBetween(0.74 * nominal, 1.26 * nominal);
    }

    private static Quarantine apply(Quarantine state, int event, long now, SplittableRandom random) {
        return switch (event) {
            case 0 -> state.failed(0, now, random);
            case 1 -> state.succeeded(FailureOdds.QUIET.successStep());
            case 2 -> state.endedNeutrally();
            case 3 -> state instanceof Quarantine.Shut shut ? shut.connected() : state;
            case 5 -> state.refused(now, random);
            default -> state instanceof Quarantine.Trial trial && !trial.taken() ? trial.take() : state;
        };
    }
}
