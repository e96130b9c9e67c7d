package dev.penstock.core.pick;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.Fleet;
import dev.penstock.core.view.ReplicaCell;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.model.RoutingStrategy;
import dev.penstock.model.Sample;
import dev.penstock.model.Shards;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replicas of which the collector has learned that one does more than the other. */
class UnlikeCapacityTest {
    private static final long NOW = 1_000_000_000_000L;

    private final RoutingPolicy policy = new RoutingPolicy();
    private final SplittableRandom random = new SplittableRandom(4);
    private final Routing out = new Routing();

    @ParameterizedTest
    @ValueSource(strings = {"load-balance", "prefix-cache", "session-affinity"})
    void twice_the_capacity_has_twice_the_load(String name) {
        Fleet fleet =
                fleet(IntStream.range(0, 20).map(i -> i < 10 ? 1_000 : 2_000).toArray());

        serve(fleet, rule(name), 20 * 30);

        double small = meanOwn(fleet, 1, 10);
        double large = meanOwn(fleet, 11, 20);
        // (20 + 1) / 1 = (41 + 1) / 2
        assertThat(large / small).isBetween(1.9, 2.2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"least-request", "least-request-top-k"})
    void strategies_that_count_requests_have_as_many_everywhere(String name) {
        Fleet fleet =
                fleet(IntStream.range(0, 20).map(i -> i < 10 ? 1_000 : 2_000).toArray());

        serve(fleet, rule(name), 20 * 30);

        assertThat(meanOwn(fleet, 11, 20) - meanOwn(fleet, 1, 10)).isBetween(-1.0, 1.0);
    }

    @Test
    void strategies_that_weigh_and_others_share_a_model_and_each_has_its_index() {
        int[] capacity = new int[50];
        for (int i = 0; i < 50; i++) capacity[i] = i == 29 ? 4_000 : 1_000;
        Fleet fleet = fleet(capacity);
        // Three where others have two or one, and four times the capacity; so it has the least score and no least load.
        for (int number = 1; number <= 50; number++) {
            for (int i = 0; i < (number == 30 ? 3 : number == 7 ? 1 : 2); i++)
                cell(fleet, number).acquire();
        }

        for (int i = 0; i < 200; i++) {
            assertThat(pick(fleet, rule("least-request"))).isEqualTo(7);
            assertThat(pick(fleet, rule("load-balance"))).isEqualTo(30);
            assertThat(pick(fleet, rule("least-request:1,random:0"))).isEqualTo(7);
            assertThat(pick(fleet, rule("load-balance:1,random:0"))).isEqualTo(30);
        }
        // Both are told of changes.
        for (int i = 0; i < 9; i++) cell(fleet, 30).acquire();
        for (int i = 0; i < 2; i++) cell(fleet, 40).release();
        assertThat(pick(fleet, rule("least-request"))).isEqualTo(40);
        assertThat(pick(fleet, rule("load-balance:1,random:0"))).isEqualTo(40);
    }

    @Test
    void a_capacity_that_is_not_told_any_more_stays() {
        Fleet fleet = fleet(1_000, 4_000, 1_000, 1_000);
        fleet.sampleAll(4, NOW);
        fleet.view.refresh(NOW);
        for (int number = 1; number <= 4; number++) cell(fleet, number).acquire();

        for (int i = 0; i < 100; i++)
            assertThat(pick(fleet, rule("load-balance"))).isEqualTo(2);
    }

    /** Requests come and go, so many at a time. */
    private void serve(Fleet fleet, PickRule rule, int open) {
        ReplicaEntry[] there = new ReplicaEntry[open];
        for (int i = 0; i < 20 * open; i++) {
            int at = i < open ? i : random.nextInt(open);
            if (there[at] != null) there[at].cell().release();
            out.clear();
            policy.route(fleet.view.current(), Fleet.MODEL, rule, NOW, random, out);
            there[at] = out.replica();
            there[at].cell().acquire();
            if (i % open == 0) fleet.view.refresh(NOW);
        }
    }

    private static double meanOwn(Fleet fleet, int from, int to) {
        return IntStream.rangeClosed(from, to)
                .map(number -> cell(fleet, number).own())
                .average()
                .orElseThrow();
    }

    /** Replicas 1, 2, ... of these capacities, in thousandths, whose KV caches are empty. */
    private static Fleet fleet(int... capacityMilli) {
        Fleet fleet = Fleet.fresh(capacityMilli.length, NOW);
        for (int number = 1; number <= capacityMilli.length; number++) {
            Sample sample = new Sample(number, 1, 0, 0, 2, capacityMilli[number - 1], 0, 50, 0);
            fleet.view.apply(fleet.frame(Shards.of(number), false, new BitSet(), List.of(sample), NOW), NOW);
        }
        for (int i = 0; i < 2; i++) fleet.view.refresh(NOW);
        return fleet;
    }

    private int pick(Fleet fleet, PickRule rule) {
        out.clear();
        policy.route(fleet.view.current(), Fleet.MODEL, rule, NOW, random, out);
        return out.replica().replica().number();
    }

    private static PickRule rule(String text) {
        return PickRule.of(RoutingStrategy.parse(text));
    }

    private static ReplicaCell cell(Fleet fleet, int number) {
        return fleet.view.current().byNumber(number).cell();
    }
}
