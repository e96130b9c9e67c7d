package dev.penstock.core.pick;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.Fleet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Where sessions go: the credits of {@link Credit} while next to nothing is in flight, 16 for a pin and 1 for a place. */
class SessionRoutingTest {
    private static final long NOW = 1_000_000_000_000L;
    private static final int REPLICAS = 16;

    private final RoutingPolicy policy = new RoutingPolicy();
    private final SplittableRandom random = new SplittableRandom(7);
    private final Routing out = new Routing();
    private final Affinity affinity = new Affinity();
    private final Fleet fleet = Fleet.fresh(REPLICAS, NOW);

    @Test
    void pinned_session_stays_while_its_owner_is_less_than_sixteen_requests_busier() {
        load(5, 15);

        assertThat(route(77, 5)).isEqualTo(5);
    }

    @Test
    void pinned_session_leaves_an_owner_that_is_busier_than_that() {
        load(5, 18);

        assertThat(route(77, 5)).isNotEqualTo(5);
    }

    @Test
    void new_session_goes_to_its_place_on_every_router() {
        Fleet other = Fleet.fresh(REPLICAS, NOW);

        for (long key = 1; key <= 500; key++) {
            int here = route(key, Affinity.NOBODY);
            assertThat(route(other, key, Affinity.NOBODY)).isEqualTo(here);
        }
    }

    @Test
    void new_session_leaves_its_place_to_those_that_are_there() {
        int place = route(77, Affinity.NOBODY);
        load(place, 3);

        assertThat(route(77, Affinity.NOBODY)).isNotEqualTo(place);
    }

    @Test
    void session_of_a_lost_owner_is_placed_alike_everywhere() {
        Fleet other = Fleet.fresh(REPLICAS, NOW);
        int place = route(77, Affinity.NOBODY);

        assertThat(route(77, 999)).isEqualTo(place);
        assertThat(route(other, 77, 999)).isEqualTo(place);
    }

    @Test
    void new_replica_ranks_as_any_other_for_what_is_pinned_there() {
        int pinned = Warmth.of(0, Warmth.Tie.PINNED, 3_000);
        int placed = Warmth.of(0, Warmth.Tie.FIRST, 1_000);

        assertThat(Standing.RAMPING.rank(pinned)).isEqualTo(Standing.ROUTABLE);
        assertThat(Standing.RAMPING.rank(placed)).isEqualTo(Standing.RAMPING);
        assertThat(Standing.SOFT.rank(pinned)).isEqualTo(Standing.SOFT);
    }

    private void load(int number, int requests) {
        for (int i = 0; i < requests; i++) {
            fleet.view.current().byNumber(number).cell().acquire();
        }
    }

    private int route(long key, int pinned) {
        return route(fleet, key, pinned);
    }

    private int route(Fleet by, long key, int pinned) {
        affinity.clear();
        affinity.session(key, pinned);
        out.clear();
        policy.route(by.view.current(), Fleet.MODEL, PickRule.DEFAULT, affinity, NOW, random, out);
        return out.replica().replica().number();
    }
}
