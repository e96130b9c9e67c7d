package dev.penstock.core.pick;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.core.Fleet;
import dev.penstock.core.view.Bias;
import dev.penstock.core.view.HotRow;
import dev.penstock.core.view.ReplicaCell;
import dev.penstock.model.Header;
import dev.penstock.model.InflightVector;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.RoutingStrategy;
import dev.penstock.testkit.record.ReplicaBuilder;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The example in docs/routing.md. */
class WorkedExampleTest {
    private static final long NOW = 1_000_000_000_000L;
    private static final long MS = Fleet.MS;
    private static final int A = 1;
    private static final int B = 2;
    private static final int C = 3;

    private final Fleet fleet = new Fleet();
    private final Affinity affinity = new Affinity();

    @Test
    void loads_and_picks_are_as_the_docs_say() {
        for (int number : new int[] {A, B}) fleet.view.apply(replica(number, 3_600_000), NOW);
        fleet.view.apply(replica(C, 3_000), NOW);
        fleet.sampleAll(3, NOW - 100 * MS);
        fleet.sampleAll(3, NOW);
        for (int number : new int[] {A, B}) {
            cell(number).served(2_000 * MS);
            cell(number).acquire();
            cell(number).acquire();
        }
        fleet.view.apply(vector(), NOW - 50 * MS);
        for (int i = 0; i < 3; i++) fleet.view.refresh(NOW);

        assertThat(cell(A).loadMilli()).isCloseTo(4_562, within(2L));
        assertThat(cell(B).loadMilli()).isCloseTo(3_333, within(2L));
        assertThat(cell(C).loadMilli()).isCloseTo(3_133, within(2L));
        assertThat(Bias.SLOW_START.in(cell(C).biasCauses())).isTrue();
        assertThat(picks(PickRule.DEFAULT)).containsExactly(C);
        assertThat(picks(PickRule.of(RoutingStrategy.parse("least-request-top-k"))))
                .containsExactly(B, C);

        assertThat(scoreMilli(A)).isCloseTo(4_670, within(5L));
        assertThat(scoreMilli(B)).isCloseTo(3_418, within(5L));
        assertThat(scoreMilli(C)).isCloseTo(3_214, within(5L));
        affinity.session(77, B);
        assertThat(picks(PickRule.DEFAULT)).containsExactly(B);
        affinity.clear();
        affinity.owner(A, 900);
        assertThat(picks(PickRule.DEFAULT)).containsExactly(A);
        affinity.clear();
        affinity.owner(A, 500);
        assertThat(picks(PickRule.DEFAULT)).containsExactly(C);
    }

    private long scoreMilli(int number) {
        return HotRow.scoreMilli(cell(number).loadMilli(), cell(number).weight());
    }

    private static RosterRecord replica(int number, long readyForMillis) {
        return ReplicaBuilder.replica(number)
                .uid("u")
                .serving(Fleet.MODEL)
                .readyForMillis(readyForMillis)
                .present();
    }

    private static InflightVector vector() {
        Header header = new Header("router-1", 77, 1, Header.NO_EPOCH, NOW - 50 * MS);
        return new InflightVector(header, 1, true, new int[] {A, B}, new int[] {3, 1}, List.of());
    }

    private Set<Integer> picks(PickRule rule) {
        RoutingPolicy policy = new RoutingPolicy();
        SplittableRandom random = new SplittableRandom(7);
        Routing out = new Routing();
        Set<Integer> picked = new TreeSet<>();
        for (int i = 0; i < 100; i++) {
            out.clear();
            policy.route(fleet.view.current(), Fleet.MODEL, rule, affinity, NOW, random, out);
            picked.add(out.replica().replica().number());
        }
        return picked;
    }

    private ReplicaCell cell(int number) {
        return fleet.view.current().byNumber(number).cell();
    }
}
