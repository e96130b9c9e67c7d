package dev.penstock.core.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.Fleet;
import dev.penstock.model.Freshness;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetViewTest {
    private static final long NOW = 1_000_000_000_000L;
    private static final long MS = Fleet.MS;

    @Test
    void a_replica_is_no_candidate_before_its_first_fresh_sample() {
        Fleet fleet = new Fleet();
        fleet.view.apply(Fleet.roster(1, "u", false));
        assertThat(cell(fleet).candidate()).isFalse();
        assertThat(freshness(fleet, NOW)).isEqualTo(Freshness.MISSING);

        fleet.sampleAll(1, NOW);
        assertThat(freshness(fleet, NOW)).as("first frame of an incarnation").isEqualTo(Freshness.STALE);
        assertThat(cell(fleet).candidate()).isFalse();

        fleet.sampleAll(1, NOW + 50 * MS);
        assertThat(freshness(fleet, NOW + 50 * MS)).isEqualTo(Freshness.FRESH);
        assertThat(cell(fleet).candidate()).isTrue();
    }

    @Test
    void silence_ages_and_stays_a_candidate() {
        Fleet fleet = Fleet.fresh(1, NOW);

        assertThat(freshness(fleet, NOW + 151 * MS)).isEqualTo(Freshness.STALE);
        assertThat(freshness(fleet, NOW + 2_001 * MS)).isEqualTo(Freshness.MISSING);
        assertThat(cell(fleet).candidate()).isTrue();
    }

    @Test
    void sampled_again_unchanged_renews_a_signal() {
        Fleet fleet = Fleet.fresh(1, NOW);
        BitSet bit = new BitSet();
        bit.set(0);

        fleet.view.apply(fleet.frame(1, false, bit, List.of(), NOW + 400 * MS), NOW + 400 * MS);

        assertThat(freshness(fleet, NOW + 500 * MS)).isEqualTo(Freshness.FRESH);
    }

    @Test
    void a_lost_frame_marks_its_shard_stale_until_the_next_full_one() {
        Fleet fleet = Fleet.fresh(1, NOW);
        BitSet bit = new BitSet();
        bit.set(0);
        fleet.lose(1);

        fleet.view.apply(fleet.frame(1, false, bit, List.of(), NOW + 50 * MS), NOW + 50 * MS);
        assertThat(freshness(fleet, NOW + 50 * MS)).isEqualTo(Freshness.STALE);

        fleet.sampleAll(1, NOW + 100 * MS);
        assertThat(freshness(fleet, NOW + 100 * MS)).isEqualTo(Freshness.FRESH);
    }

    @Test
    void a_frame_that_was_long_on_its_way_is_not_fresh() {
        Fleet fleet = Fleet.fresh(1, NOW);

        fleet.view.apply(
                fleet.frame(1, true, new BitSet(), List.of(Fleet.sample(1, 0)), NOW + 50 * MS), NOW + 2_050 * MS);

        assertThat(freshness(fleet, NOW + 2_050 * MS)).isEqualTo(Freshness.STALE);
    }

    @Test
    void another_incarnation_starts_unknown_and_a_gone_replica_leaves() {
        Fleet fleet = Fleet.fresh(1, NOW);

        fleet.view.apply(Fleet.roster(1, "u2", false));
        assertThat(cell(fleet).candidate()).isFalse();

        fleet.view.apply(Fleet.roster(1, "u2", true));
        assertThat(fleet.view.current().entries()).isEmpty();
        assertThat(fleet.view.current().serving(Fleet.MODEL)).isEmpty();
    }

    @Test
    void a_dead_routers_counts_fade_and_are_gone_within_three_seconds() {
        Fleet fleet = Fleet.fresh(1, NOW);
        fleet.peer("router-1", 1, 8, NOW);
        assertThat(cell(fleet).peersMilli()).isEqualTo(8_000);

        fleet.view.refresh(NOW + 300 * MS);
        assertThat(cell(fleet).peersMilli()).isEqualTo(8_000);
        fleet.view.refresh(NOW + 1_300 * MS);
        assertThat(cell(fleet).peersMilli()).isBetween(2_900, 2_950);
        fleet.view.refresh(NOW + 2_800 * MS);
        assertThat(cell(fleet).peersMilli()).isZero();
    }

    private static ReplicaCell cell(Fleet fleet) {
        return fleet.view.current().byNumber(1).cell();
    }

    private static Freshness freshness(Fleet fleet, long now) {
        return cell(fleet).telemetry().freshness(now);
    }
}
