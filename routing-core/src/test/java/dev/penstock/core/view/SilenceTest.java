package dev.penstock.core.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.Fleet;
import dev.penstock.core.quarantine.Quarantine;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SilenceTest {
    private static final long NOW = 1_000_000_000_000L;
    private static final long MS = 1_000_000;

    private final SplittableRandom random = new SplittableRandom(3);
    private final Fleet fleet = Fleet.fresh(1, NOW);
    private final ReplicaCell cell = fleet.view.current().byNumber(1).cell();

    @Test
    void a_silent_replica_is_shut_once_and_a_byte_keeps_it_open() {
        cell.streams().opened(64, NOW);
        cell.streams().heardFrom(NOW + 1_000 * MS);
        assertThat(cell.shutIfSilent(NOW + 2_400 * MS, random)).isFalse();

        assertThat(cell.shutIfSilent(NOW + 2_600 * MS, random)).isTrue();
        assertThat(cell.shutIfSilent(NOW + 2_700 * MS, random)).isFalse();
        assertThat(cell.quarantine()).isInstanceOf(Quarantine.Shut.class);
    }

    @Test
    void a_trial_is_judged_by_its_own_silence() {
        cell.streams().opened(64, NOW);
        cell.shutIfSilent(NOW + 2_000 * MS, random);
        cell.connectResult(true, NOW + 3_000 * MS, random);
        assertThat(cell.shutIfSilent(NOW + 3_100 * MS, random)).isFalse();

        assertThat(cell.enter(NOW + 3_200 * MS)).isTrue();
        assertThat(cell.shutIfSilent(NOW + 4_600 * MS, random)).isFalse();
        assertThat(cell.shutIfSilent(NOW + 4_800 * MS, random)).isTrue();
    }

    @Test
    void the_base_rate_is_the_median_of_the_pool() {
        Fleet three = Fleet.fresh(3, NOW);
        for (int number = 1; number <= 3; number++) {
            ReplicaCell each = three.view.current().byNumber(number).cell();
            for (int i = 0; i < 90; i++) each.succeeded();
            // 10 % at two of them, none at the third: the median is 10 %, pb 15 %, p1 60 %
            for (int i = 0; i < (number < 3 ? 10 : 0); i++) {
                each.failed(0.001, NOW, random);
                each.succeeded();
            }
        }

        three.view.foldFailureRates();

        // ln(0.6 / 0.15) = 1.39 a failure; three in a row is the other rule, so successes between
        ReplicaCell third = three.view.current().byNumber(3).cell();
        int failures = 0;
        while (third.quarantine() instanceof Quarantine.Clear && failures < 1_000) {
            third.failed(1, NOW, random);
            failures++;
            if (failures % 2 == 0) third.succeeded();
        }
        // 2 x 1.39 - 0.75 a round of two
        assertThat(failures).isEqualTo(13);
    }
}
