package dev.penstock.core.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.core.Fleet;
import dev.penstock.model.LoadTerms;
import dev.penstock.model.Sample;
import dev.penstock.model.Shards;
import java.util.BitSet;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a request weighs at one replica of eight, {@link HotRow#EVEN_WEIGHT} = 1. */
class WeightTest {
    private static final long NOW = 1_000_000_000_000L;
    private static final long SECOND = 1_000_000_000L;
    private static final int REPLICAS = 8;
    private static final int PPM = 1_000_000;
    private static final Offset<Double> NEAR = within(0.001);

    private final Fleet fleet = Fleet.fresh(REPLICAS, NOW);
    private long now = NOW;
    private int heartbeat = 1;

    @Test
    void kv_pressure_makes_requests_heavier_and_capacity_lighter() {
        tell(1, 0, 0, 0);
        tell(2, 500_000, 0, 1_000);
        tell(3, 800_000, 0, 1_600);
        tell(4, 0, 0, 400);
        fleet.view.refresh(now);
        fleet.view.refresh(now);

        assertThat(weight(1)).isCloseTo(1, NEAR);
        assertThat(weight(2)).isCloseTo(1 + 2 * 0.25, NEAR);
        assertThat(weight(3)).isCloseTo((1 + 2 * 0.64) / 1.6, NEAR);
        assertThat(weight(4)).isCloseTo(2.5, NEAR);
    }

    /** In requests, 40 of them say nothing before it is known what the others can do. */
    @Test
    void the_first_capacity_that_is_told_makes_nobody_light() {
        tell(1, 0, 0, 40_000);
        tell(3, 0, 0, 0);
        fleet.view.refresh(now);
        assertThat(weight(1)).isCloseTo(1, NEAR);

        tell(2, 0, 0, 120_000);
        fleet.view.refresh(now);
        fleet.view.refresh(now);
        assertThat(weight(1)).isCloseTo(2, NEAR);
        assertThat(weight(2)).isCloseTo(1 / 1.5, NEAR);
        assertThat(weight(3)).isCloseTo(1, NEAR);
    }

    @Test
    void less_free_than_critical_is_eight_times_as_heavy() {
        tell(1, 899_000, 1, 0);
        tell(2, 901_000, 1, 0);
        tell(3, PPM, 1, 0);
        fleet.view.refresh(now);

        assertThat(weight(1)).isCloseTo(1 + 2 * 0.899 * 0.899, NEAR);
        assertThat(weight(2)).isCloseTo(8 * (1 + 2 * 0.901 * 0.901), within(0.01));
        assertThat(weight(3)).isCloseTo(24, NEAR);
    }

    @Test
    void the_terms_are_the_models() {
        fleet.view.loadTerms(Fleet.MODEL, new LoadTerms(0, 1, 0.3));
        tell(1, 500_000, 1, 0);
        tell(2, 800_000, 1, 0);
        fleet.view.refresh(now);

        assertThat(weight(1)).isCloseTo(1.25, NEAR);
        assertThat(weight(2)).isCloseTo(8 * 1.64, within(0.01));
    }

    @Test
    void what_waits_counts_beyond_being_in_flight_where_the_model_says_so() {
        fleet.view.loadTerms(Fleet.MODEL, new LoadTerms(0.5, 2, 0.1));
        Sample waiting = new Sample(1, 1, 3, 0, ++heartbeat, 0, 0, 50, 0);
        fleet.view.apply(fleet.frame(Shards.of(1), false, new BitSet(), List.of(waiting), now), now);
        fleet.view.refresh(now);

        assertThat(cell(1).biasMilli()).isEqualTo(1_500);
        assertThat(Bias.QUEUED.in(cell(1).biasCauses())).isTrue();
        assertThat(cell(2).biasMilli()).isZero();
    }

    @Test
    void who_does_not_tell_or_is_missing_weighs_as_the_third_quartile_does() {
        int[] kv = {0, 0, 100_000, 200_000, 300_000, 400_000, 500_000, 600_000};
        for (int i = 0; i < REPLICAS; i++) tell(i + 1, kv[i], 1, 0);
        fleet.view.refresh(now);
        tell(2, Sample.UNKNOWN, 1, 0);
        for (int i = 0; i < 2; i++) fleet.view.refresh(now);
        // Of seven that tell it one has more than 0.5, in 32nds.
        assertThat(weight(2)).isCloseTo(1 + 2 * 0.5 * 0.5, NEAR);

        now += 3 * SECOND;
        for (int i = 2; i < REPLICAS; i++) tell(i + 1, kv[i], 1, 0);
        for (int i = 0; i < 2; i++) fleet.view.refresh(now);
        double quartile = fleet.view.current().candidates(Fleet.MODEL).pool().kvUsedThirdQuartile();
        assertThat(quartile).isBetween(0.37, 0.51);
        assertThat(weight(1)).as("missing").isCloseTo(1 + 2 * quartile * quartile, NEAR);
        assertThat(weight(3)).as("fresh").isCloseTo(1 + 2 * 0.01, NEAR);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 16})
    void an_idle_engine_that_says_its_cache_is_full_is_not_believed(int peersEverywhereElse) {
        frozen(peersEverywhereElse, 0);
        assertThat(weight(1)).as("at once it may be").isGreaterThan(20);

        for (int i = 0; i < 25; i++) frozen(peersEverywhereElse, 0);

        assertThat(weight(1)).isCloseTo(1, NEAR);
        // It works again, so it may be.
        cell(1).acquire();
        frozen(peersEverywhereElse, 0);
        assertThat(weight(1)).isGreaterThan(20);
    }

    @Test
    void one_that_peers_have_requests_at_is_believed() {
        for (int i = 0; i < 30; i++) frozen(1, 1);

        assertThat(weight(1)).isGreaterThan(20);
    }

    @Test
    void an_idle_engine_is_not_favoured_for_being_missing() {
        for (int i = 0; i < 30; i++) frozen(0, 0);
        now += 3 * SECOND;
        for (int number = 2; number <= REPLICAS; number++) tell(number, 500_000, 1, 0);
        for (int i = 0; i < 2; i++) fleet.view.refresh(now);

        assertThat(weight(1)).isGreaterThanOrEqualTo(weight(2));
    }

    @Test
    void time_in_a_degraded_pool_in_which_it_worked_is_no_idle_time() {
        frozen(0, 0);
        for (int i = 0; i < 2; i++) unheard();
        cell(1).acquire();
        for (int i = 0; i < 3; i++) unheard();
        assertThat(fleet.view.current().candidates(Fleet.MODEL).pool().degraded())
                .isTrue();
        cell(1).release();

        for (int i = 0; i < 3; i++) frozen(0, 0);

        assertThat(weight(1)).isGreaterThan(20);
    }

    @Test
    void where_most_are_not_fresh_the_kv_cache_counts_for_nobody() {
        for (int number = 1; number <= REPLICAS; number++) tell(number, 100_000 * number, 1, 500 * number);
        for (int i = 0; i < 2; i++) fleet.view.refresh(now);
        // 0.5 to 4 requests, of which 2.25 is the mean.
        assertThat(weight(8)).isCloseTo((1 + 2 * 0.64) * 2.25 / 4, NEAR);

        now += 3 * SECOND;
        for (int i = 0; i < 2; i++) fleet.view.refresh(now);

        for (int number = 1; number <= REPLICAS; number++) {
            assertThat(weight(number)).isCloseTo(2.25 / (0.5 * number), NEAR);
        }
    }

    /** A second in which nobody is heard of. */
    private void unheard() {
        now += SECOND;
        fleet.view.refresh(now);
    }

    /** 100 ms in which the first says that it does nothing and its cache is full; peers may have requests. */
    private void frozen(int peersAtOthers, int peersThere) {
        now += SECOND / 10;
        for (int number = 2; number <= REPLICAS; number++) tell(number, 0, 1, 0);
        tell(1, PPM, 0, 0);
        // One vector names one replica: others keep what they had.
        if (peersThere > 0) fleet.peer("router-1", 1, peersThere, now);
        else if (peersAtOthers > 0) fleet.peer("router-1", 2, peersAtOthers, now);
        fleet.view.refresh(now);
    }

    private void tell(int number, int kvUsedPpm, int running, int capacityMilli) {
        Sample sample = new Sample(number, running, 0, kvUsedPpm, ++heartbeat, capacityMilli, 0, 50, 0);
        fleet.view.apply(fleet.frame(Shards.of(number), false, new BitSet(), List.of(sample), now), now);
    }

    private double weight(int number) {
        return (double) cell(number).weight() / HotRow.EVEN_WEIGHT;
    }

    private ReplicaCell cell(int number) {
        return fleet.view.current().byNumber(number).cell();
    }
}
