package dev.penstock.core.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.core.Fleet;
import dev.penstock.model.Header;
import dev.penstock.model.InflightVector;
import dev.penstock.model.PoolId;
import dev.penstock.testkit.record.ReplicaBuilder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** What a view takes other routers to have in flight. */
class PeersTest {
    private static final long NOW = 1_000_000_000_000L;
    private static final long PERIOD = 100 * Fleet.MS;
    private static final PoolId POOL = PoolId.localFor(Fleet.MODEL);

    /** A vector stands for half a period until the next comes, and counts last a second where nothing is known. */
    private static final double KEPT = Math.exp(-0.05);

    private final Map<String, Long> sequences = new HashMap<>();

    @Example
    void where_peers_have_more_than_their_share_they_keep_away() {
        Fleet fleet = Fleet.fresh(4, NOW);

        tell(fleet, "router-1", NOW, 0, 8, 0, 0, 0);

        // A share of 2 each; 6 more at the first, of which some have ended.
        assertThat(peersMilli(fleet, 1)).isEqualTo(taken(2_000, 6_000, KEPT));
        for (int number = 2; number <= 4; number++)
            assertThat(peersMilli(fleet, number)).isEqualTo(2_000);
    }

    @Example
    void what_is_beyond_the_share_is_believed_less_the_older_it_is() {
        Fleet fleet = Fleet.fresh(4, NOW);
        tell(fleet, "router-1", NOW, 0, 8, 0, 0, 0);

        fleet.view.refresh(NOW + 200 * Fleet.MS);

        assertThat(peersMilli(fleet, 1)).isEqualTo(taken(2_000, 6_000, Math.exp(-0.25)));
        assertThat(peersMilli(fleet, 2)).isEqualTo(2_000);
    }

    @Example
    void long_requests_make_a_count_last() {
        Fleet fleet = Fleet.fresh(4, NOW);
        for (int number = 1; number <= 4; number++) cell(fleet, number).served(10_000 * Fleet.MS);
        fleet.view.refresh(NOW);
        tell(fleet, "router-1", NOW, 0, 8, 0, 0, 0);

        fleet.view.refresh(NOW + 200 * Fleet.MS);

        assertThat(peersMilli(fleet, 1)).isEqualTo(taken(2_000, 6_000, Math.exp(-0.025)));
    }

    /** To within the rounding of a thousandth for each peer. */
    @Property(tries = 300, seed = "1")
    void peers_never_draw_a_router_to_a_replica(
            @ForAll @IntRange(min = 1, max = 60) int replicas,
            @ForAll @IntRange(min = 1, max = 4) int routers,
            @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Fleet fleet = Fleet.fresh(replicas, NOW);
        int[][] counts = new int[routers][];
        double share = 0;
        for (int router = 0; router < routers; router++) {
            counts[router] = random.ints(replicas, 0, 1 + random.nextInt(20)).toArray();
            share += 1_000.0 * Arrays.stream(counts[router]).sum() / replicas;
            tell(fleet, "router-" + (1 + router), NOW, 0, counts[router]);
        }

        for (int age : new int[] {0, 100, 300}) {
            fleet.view.refresh(NOW + age * Fleet.MS);
            double kept = Math.exp(-0.05 - age / 1e3);
            for (int i = 0; i < replicas; i++) {
                double all = 0;
                for (int[] each : counts) all += 1_000 * each[i];
                double expected = taken(share, all - share, kept);
                assertThat((double) peersMilli(fleet, i + 1))
                        .isGreaterThanOrEqualTo(share - 1)
                        .isEqualTo(expected, within(1.0));
            }
        }
    }

    @Example
    void a_delta_says_what_changed_and_leaves_the_rest() {
        Fleet fleet = Fleet.fresh(4, NOW);
        tell(fleet, "router-1", NOW, 0, 2, 2, 2, 2);

        Header header = new Header("router-1", 9, next("router-1"), Header.NO_EPOCH, NOW);
        fleet.view.apply(new InflightVector(header, 1, false, new int[] {2}, new int[] {6}, List.of()), NOW);
        fleet.view.refresh(NOW);

        // 12 in all: 3 each, and 3 more at the second
        assertThat(peersMilli(fleet, 1)).isEqualTo(3_000);
        assertThat(peersMilli(fleet, 2)).isEqualTo(taken(3_000, 3_000, KEPT));
    }

    @Example
    void a_full_vector_ends_what_is_left_of_replicas_that_went() {
        Fleet fleet = Fleet.fresh(3, NOW);
        tell(fleet, "router-1", NOW, 0, 3, 3, 9);
        fleet.view.apply(Fleet.roster(3, "u", true), NOW);

        tell(fleet, "router-1", NOW, 0, 3, 3);
        fleet.view.refresh(NOW);

        assertThat(peersMilli(fleet, 1)).isEqualTo(3_000);
        assertThat(peersMilli(fleet, 2)).isEqualTo(3_000);
    }

    @Example
    void a_full_vector_follows_a_replica_into_another_pool() {
        Fleet fleet = Fleet.fresh(3, NOW);
        tell(fleet, "router-1", NOW, 0, 2, 2, 8);
        fleet.view.apply(ReplicaBuilder.replica(3).uid("u").serving("sim/embed").present(), NOW);

        tell(fleet, "router-1", NOW, 0, 2, 2, 8);
        fleet.view.refresh(NOW);

        assertThat(peersMilli(fleet, 1)).isEqualTo(2_000);
        assertThat(peersMilli(fleet, 3)).isEqualTo(8_000);
    }

    @Example
    void a_restarted_peer_begins_anew() {
        Fleet fleet = Fleet.fresh(2, NOW);
        tell(fleet, "router-1", NOW, 0, 8, 8);

        Header header = new Header("router-1", 10, 1, Header.NO_EPOCH, NOW);
        fleet.view.apply(new InflightVector(header, 1, true, new int[] {1}, new int[] {2}, List.of()), NOW);

        assertThat(peersMilli(fleet, 1)).isEqualTo(taken(1_000, 1_000, KEPT));
        assertThat(peersMilli(fleet, 2)).isEqualTo(1_000);
    }

    @Example
    void its_own_vectors_are_no_peers() {
        Fleet fleet = Fleet.fresh(2, NOW);

        own(fleet, NOW, 100);
        fleet.view.refresh(NOW);

        assertThat(peersMilli(fleet, 1)).isZero();
    }

    @Example
    void an_equal_peer_is_taken_to_do_half_of_what_this_router_does() {
        for (int peers = 0; peers <= 4; peers++) {
            Fleet fleet = Fleet.fresh(4, NOW);
            for (int i = 1; i <= peers; i++) tell(fleet, "router-" + i, NOW, 0, 1, 1, 1, 1);
            fleet.view.refresh(NOW);
            int before = peersMilli(fleet, 1);
            assertThat(before).isEqualTo(1_000 * peers);

            for (int sent = 1; sent <= 5; sent++) {
                cell(fleet, 1).acquire();
                assertThat(peersMilli(fleet, 1)).isEqualTo(before + 500 * peers * sent);
            }
            assertThat(cell(fleet, 1).loadMilli()).isEqualTo(before + 5 * (1_000 + 500 * peers));
            assertThat(peersMilli(fleet, 2)).isEqualTo(before);

            for (int i = 0; i < 5; i++) cell(fleet, 1).release();
            assertThat(peersMilli(fleet, 1)).as("what was sent has ended").isEqualTo(before);
        }
    }

    @Example
    void it_is_what_was_sent_since_the_last_refresh_that_counts_and_ends_take_nothing_away() {
        Fleet fleet = Fleet.fresh(2, NOW);
        tell(fleet, "router-1", NOW, 0, 3, 3);
        for (int i = 0; i < 4; i++) cell(fleet, 1).acquire();
        fleet.view.refresh(NOW);
        assertThat(peersMilli(fleet, 1)).isEqualTo(3_000);

        cell(fleet, 1).acquire();
        assertThat(peersMilli(fleet, 1)).isEqualTo(3_500);

        for (int i = 0; i < 5; i++) cell(fleet, 1).release();
        assertThat(peersMilli(fleet, 1)).isEqualTo(3_000);
    }

    @Example
    void unequal_peers_are_taken_to_do_as_much_more_or_less_as_arrives_at_them() {
        assertThat(extrapolatedMilli(70, 10, 10, 10)).isEqualTo(500 * 3 / 7);
        assertThat(extrapolatedMilli(10, 70, 10, 10)).isEqualTo(500 * 9);
        assertThat(extrapolatedMilli(10, 10, 10, 10)).isEqualTo(1_500);
        // beyond a tenth and ten nobody is believed
        assertThat(extrapolatedMilli(1, 1_000)).isEqualTo(5_000);
        assertThat(extrapolatedMilli(1_000, 1)).isEqualTo(50);
    }

    /** What one request of this router adds, where so many arrive in each period here and at the others. */
    private int extrapolatedMilli(int own, int... others) {
        sequences.clear();
        Fleet fleet = Fleet.fresh(2, NOW);
        long at = NOW;
        for (int i = 1; i <= 10; i++) {
            at += PERIOD;
            own(fleet, at, (long) i * own);
            for (int j = 0; j < others.length; j++) tell(fleet, "router-" + (1 + j), at, (long) i * others[j], 1, 1);
        }
        fleet.view.refresh(at);
        int before = peersMilli(fleet, 1);
        cell(fleet, 1).acquire();
        return peersMilli(fleet, 1) - before;
    }

    @Example
    void a_silent_peer_is_not_taken_to_do_anything() {
        Fleet fleet = Fleet.fresh(2, NOW);
        tell(fleet, "router-1", NOW, 0, 1, 1);
        tell(fleet, "router-2", NOW, 0, 1, 1);
        tell(fleet, "router-2", NOW + 400 * Fleet.MS, 0, 1, 1);
        fleet.view.refresh(NOW + 400 * Fleet.MS);
        int before = peersMilli(fleet, 1);

        cell(fleet, 1).acquire();

        assertThat(peersMilli(fleet, 1) - before).isEqualTo(500);
    }

    @Example
    void a_dead_peer_fades_from_its_share_as_from_the_rest() {
        Fleet fleet = Fleet.fresh(4, NOW);
        tell(fleet, "router-1", NOW, 0, 8, 0, 0, 0);

        fleet.view.refresh(NOW + 1_300 * Fleet.MS);
        double fade = Math.exp(-1);
        assertThat(peersMilli(fleet, 2)).isEqualTo((int) Math.round(2_000 * fade));
        double kept = Math.exp(-1.35);
        double beyond = fade * 6_000 * kept - Math.sqrt(fade * 2_000 * 1_000 * (1 - kept * kept));
        assertThat(peersMilli(fleet, 1)).isEqualTo((int) Math.round(2_000 * fade + Math.max(0, beyond)));

        fleet.view.refresh(NOW + 2_800 * Fleet.MS);
        for (int number = 1; number <= 4; number++)
            assertThat(peersMilli(fleet, number)).isZero();

        // It comes back as one that nothing is known of.
        tell(fleet, "router-1", NOW + 3_000 * Fleet.MS, 0, 4, 4, 4, 4);
        assertThat(peersMilli(fleet, 1)).isEqualTo(4_000);
    }

    @Example
    void a_copy_of_what_a_peer_that_went_had_told_does_not_bring_it_back() {
        Fleet fleet = Fleet.fresh(4, NOW);
        InflightVector told = vector(9, 1, NOW, true, 0, 8, 0, 0, 0);
        fleet.view.apply(told, NOW);
        fleet.view.refresh(NOW + 2_800 * Fleet.MS);

        fleet.view.apply(told, NOW + 3_000 * Fleet.MS);
        fleet.view.refresh(NOW + 3_000 * Fleet.MS);

        for (int number = 1; number <= 4; number++)
            assertThat(peersMilli(fleet, number)).isZero();
    }

    /** One that was frozen, say: it goes on where it was, and its share is counted at once. */
    @Example
    void a_peer_that_was_gone_and_is_back_counts_from_its_first_word() {
        Fleet fleet = Fleet.fresh(4, NOW);
        fleet.view.apply(vector(9, 1, NOW, true, 0, 8, 8, 8, 8), NOW);
        fleet.view.refresh(NOW + 2_800 * Fleet.MS);

        long back = NOW + 5_000 * Fleet.MS;
        fleet.view.apply(vector(9, 2, back, false, 0, 4), back);

        for (int number = 2; number <= 4; number++)
            assertThat(peersMilli(fleet, number)).isEqualTo(1_000);
    }

    @Example
    void a_late_vector_of_an_earlier_life_takes_nothing_from_the_present_one() {
        Fleet fleet = Fleet.fresh(4, NOW);
        long later = NOW + 500 * Fleet.MS;
        fleet.view.apply(vector(9, 1, NOW, true, 0, 8, 0, 0, 0), NOW);
        fleet.view.apply(vector(10, 1, later, true, 0, 4, 4, 4, 4), later);

        fleet.view.apply(vector(9, 2, NOW + PERIOD, false, 0, 9), later);
        fleet.view.refresh(later);
        assertThat(peersMilli(fleet, 1)).isEqualTo(4_000);

        fleet.view.apply(vector(10, 2, later + PERIOD, false, 0, 4), later + PERIOD);
        fleet.view.refresh(later + PERIOD);
        for (int number = 1; number <= 4; number++)
            assertThat(peersMilli(fleet, number)).isEqualTo(4_000);
    }

    @Example
    void copies_and_lives_that_tell_by_turns_are_no_arrivals() {
        Fleet fleet = Fleet.fresh(2, NOW);
        long at = NOW;
        InflightVector copy = null;
        for (int i = 1; i <= 20; i++) {
            at += PERIOD;
            Header header = new Header("router-0", 1, i, Header.NO_EPOCH, at);
            InflightVector own = new InflightVector(header, 1, true, new int[] {1}, new int[] {1}, arrivals(10L * i));
            if (copy == null) copy = own;
            long earlier = at - PERIOD / 2;
            fleet.view.apply(copy, earlier);
            fleet.view.apply(vector(9, i, earlier, true, 10_000 + 10L * i, 1, 1), earlier);
            fleet.view.apply(own, at);
            fleet.view.apply(vector(10, i, at, true, 10L * i, 1, 1), at);
        }
        fleet.view.refresh(at);
        int before = peersMilli(fleet, 1);

        cell(fleet, 1).acquire();

        assertThat(peersMilli(fleet, 1) - before).isEqualTo(500);
    }

    /** So many of router-1's in flight at replicas 1, 2, ... */
    private static InflightVector vector(
            long incarnation, long sequence, long sent, boolean full, long arrived, int... counts) {
        int[] numbers = new int[counts.length];
        for (int i = 0; i < counts.length; i++) numbers[i] = i + 1;
        Header header = new Header("router-1", incarnation, sequence, Header.NO_EPOCH, sent);
        return new InflightVector(header, 1, full, numbers, counts, arrivals(arrived));
    }

    /** A share, and what was told beyond it as far as it is kept and more than the noise that the age explains. */
    private static int taken(double shareMilli, double beyondMilli, double kept) {
        double noise = Math.sqrt(shareMilli * 1_000 * (1 - kept * kept));
        return (int) Math.round(shareMilli + Math.max(0, beyondMilli * kept - noise));
    }

    /** A full vector: so many in flight at replicas 1, 2, ... */
    private void tell(Fleet fleet, String router, long at, long arrived, int... counts) {
        int[] numbers = new int[counts.length];
        for (int i = 0; i < counts.length; i++) numbers[i] = i + 1;
        Header header = new Header(router, 9, next(router), Header.NO_EPOCH, at);
        fleet.view.apply(new InflightVector(header, 1, true, numbers, counts, arrivals(arrived)), at);
    }

    private void own(Fleet fleet, long at, long arrived) {
        Header header = new Header("router-0", 1, next("router-0"), Header.NO_EPOCH, at);
        fleet.view.apply(new InflightVector(header, 1, true, new int[] {1}, new int[] {5}, arrivals(arrived)), at);
    }

    private long next(String router) {
        return sequences.merge(router, 1L, Long::sum);
    }

    private static List<InflightVector.PoolArrivals> arrivals(long count) {
        return List.of(new InflightVector.PoolArrivals(POOL, count));
    }

    private static int peersMilli(Fleet fleet, int number) {
        return cell(fleet, number).peersMilli();
    }

    private static ReplicaCell cell(Fleet fleet, int number) {
        return fleet.view.current().byNumber(number).cell();
    }
}
