package dev.penstock.core.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.Fleet;
import dev.penstock.model.Freshness;
import dev.penstock.model.Header;
import dev.penstock.model.Sample;
import dev.penstock.model.TelemetryFrame;
import dev.penstock.testkit.record.SampleBuilder;
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

    /** The collector's first records took 800 ms, so what they told seems to be of when they came. */
    @Test
    void a_collectors_later_sample_wins_whatever_the_times_say() {
        Fleet fleet = new Fleet();
        fleet.view.apply(Fleet.roster(1, "u", false));
        fleet.view.apply(frame(7, 1, NOW, sample(1, 0)), NOW + 800 * MS);
        fleet.view.apply(again(7, 2, NOW + 50 * MS), NOW + 800 * MS);

        fleet.view.apply(frame(7, 3, NOW + 900 * MS, sample(2, 150)), NOW + 900 * MS);

        assertThat(cell(fleet).telemetry().running()).isEqualTo(2);
        assertThat(freshness(fleet, NOW + 900 * MS)).isEqualTo(Freshness.FRESH);
        assertThat(freshness(fleet, NOW + 905 * MS)).isEqualTo(Freshness.STALE);
    }

    @Test
    void a_collector_renews_only_what_it_told_itself() {
        Fleet fleet = new Fleet();
        fleet.view.apply(Fleet.roster(1, "u", false));
        for (int sequence = 1; sequence <= 2; sequence++) {
            fleet.view.apply(frame(7, sequence, NOW, sample(1, 0)), NOW);
            fleet.view.apply(frame(8, sequence, NOW, sample(1, 0)), NOW);
        }
        fleet.view.apply(frame(7, 3, NOW + 50 * MS, sample(2, 0)), NOW + 50 * MS);

        // 8 missed the 2: to it the replica is where it was
        fleet.view.apply(again(8, 3, NOW + 150 * MS), NOW + 150 * MS);
        assertThat(freshness(fleet, NOW + 201 * MS)).isEqualTo(Freshness.STALE);

        fleet.view.apply(frame(8, 4, NOW + 250 * MS, sample(1, 0)), NOW + 250 * MS);
        assertThat(cell(fleet).telemetry().running()).isEqualTo(1);
        assertThat(freshness(fleet, NOW + 250 * MS)).isEqualTo(Freshness.FRESH);
    }

    @Test
    void a_collectors_loss_holds_nothing_that_another_told() {
        Fleet fleet = new Fleet();
        fleet.view.apply(Fleet.roster(1, "u", false));
        for (int sequence = 1; sequence <= 2; sequence++) {
            fleet.view.apply(frame(8, sequence, NOW, sample(1, 0)), NOW);
            fleet.view.apply(frame(7, sequence, NOW, sample(1, 0)), NOW);
        }

        fleet.view.apply(again(8, 4, NOW + 50 * MS), NOW + 50 * MS);
        assertThat(freshness(fleet, NOW + 50 * MS)).isEqualTo(Freshness.FRESH);

        fleet.view.apply(again(7, 4, NOW + 50 * MS), NOW + 50 * MS);
        assertThat(freshness(fleet, NOW + 50 * MS)).isEqualTo(Freshness.STALE);
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

    /** A full frame of replica 1. */
    private static TelemetryFrame frame(long incarnation, long sequence, long sendNanos, Sample sample) {
        Header header = new Header("collector-" + incarnation, incarnation, sequence, Header.NO_EPOCH, sendNanos);
        return new TelemetryFrame(header, 1, true, new BitSet(), 0, List.of(sample));
    }

    /** Replica 1 was sampled again, unchanged. */
    private static TelemetryFrame again(long incarnation, long sequence, long sendNanos) {
        Header header = new Header("collector-" + incarnation, incarnation, sequence, Header.NO_EPOCH, sendNanos);
        BitSet bit = new BitSet();
        bit.set(0);
        return new TelemetryFrame(header, 1, false, bit, 0, List.of());
    }

    private static Sample sample(int running, long ageMillis) {
        return SampleBuilder.sample(1)
                .running(running)
                .ageMicros(1_000 * ageMillis)
                .build();
    }

    private static ReplicaCell cell(Fleet fleet) {
        return fleet.view.current().byNumber(1).cell();
    }

    private static Freshness freshness(Fleet fleet, long now) {
        return cell(fleet).telemetry().freshness(now);
    }
}
