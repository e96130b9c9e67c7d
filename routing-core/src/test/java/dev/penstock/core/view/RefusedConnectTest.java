package dev.penstock.core.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.Fleet;
import dev.penstock.core.quarantine.Quarantine;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RefusedConnectTest {
    private static final long NOW = 1_000_000_000_000L;
    private static final long MS = 1_000_000;

    private final SplittableRandom random = new SplittableRandom(3);
    private final Fleet fleet = Fleet.fresh(1, NOW);
    private final ReplicaCell cell = fleet.view.current().byNumber(1).cell();

    @Test
    void one_shuts_the_replica_out_and_further_ones_say_nothing_new() {
        assertThat(cell.refused(NOW, random)).isTrue();
        Quarantine shut = cell.quarantine();

        assertThat(cell.refused(NOW + 100 * MS, random)).isFalse();
        assertThat(cell.quarantine()).isSameAs(shut);
        assertThat(cell.exclusion(NOW)).isEqualTo(ReplicaCell.Exclusion.QUARANTINED);
        assertThat(cell.enter(NOW)).isFalse();
    }

    @Test
    void the_way_back_is_that_of_any_quarantine() {
        for (int i = 0; i < 3; i++) cell.failed(0, NOW, new SplittableRandom(7));
        Quarantine byRow = cell.quarantine();
        ReplicaCell other = new ReplicaCell();

        other.refused(NOW, new SplittableRandom(7));

        assertThat(other.quarantine()).isEqualTo(byRow);
        assertThat(((Quarantine.Shut) other.quarantine()).connectDue(NOW + 374 * MS))
                .isFalse();
        assertThat(((Quarantine.Shut) other.quarantine()).connectDue(NOW + 625 * MS))
                .isTrue();
        other.connectResult(true, NOW + 700 * MS, random);
        assertThat(other.enter(NOW + 700 * MS)).isTrue();
        assertThat(other.succeeded()).isTrue();
        assertThat(other.quarantine()).isEqualTo(Quarantine.CLEAR);
    }

    @Test
    void a_trial_that_is_refused_starts_over_with_a_longer_wait() {
        cell.refused(NOW, random);
        cell.connectResult(true, NOW + 700 * MS, random);
        assertThat(cell.enter(NOW + 700 * MS)).isTrue();

        assertThat(cell.refused(NOW + 700 * MS, random)).isTrue();

        Quarantine.Shut shut = (Quarantine.Shut) cell.quarantine();
        assertThat(shut.returns()).isEqualTo(1);
        assertThat(shut.untilNanos() - (NOW + 700 * MS)).isBetween(750 * MS, 1_250 * MS);
    }

    @Test
    void it_is_in_no_failure_sum() {
        for (int i = 0; i < 100; i++) cell.succeeded();
        cell.refused(NOW, random);
        fleet.view.foldFailureRates();
        cell.connectResult(true, NOW + 700 * MS, random);
        cell.succeeded();

        cell.failed(1, NOW + 800 * MS, random);

        // a median of 0: ln(20)
        assertThat(((Quarantine.Clear) cell.quarantine()).sum()).isEqualTo(Math.log(20));
    }
}
