package dev.penstock.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.penstock.core.Fleet;
import dev.penstock.core.pick.PickRule;
import dev.penstock.core.pick.Routing;
import dev.penstock.core.pick.RoutingPolicy;
import dev.penstock.core.pick.Standing;
import dev.penstock.core.pick.Warmth;
import dev.penstock.core.view.RosterImage;
import dev.penstock.model.Freshness;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DecisionRingTest {
    /** 1,024 (1 + 2 x 0.1^2): the tenth of the KV cache. */
    private static final int WEIGHT = 1_044;

    private static final long NOW = 1_000_000_000_000L;

    private final RoutingPolicy policy = new RoutingPolicy();
    private final SplittableRandom random = new SplittableRandom(7);
    private final Routing out = new Routing();

    @Test
    void a_record_says_what_the_decision_saw() {
        Fleet fleet = Fleet.fresh(3, NOW);
        RosterImage view = fleet.view.current();
        view.byNumber(1).cell().acquire();
        fleet.peer("router-1", 2, 2, NOW);
        for (int i = 0; i < 3; i++) view.byNumber(3).cell().failed(1, NOW, random);
        DecisionRing ring = new DecisionRing(4);

        policy.route(view, Fleet.MODEL, PickRule.DEFAULT, NOW + 40_000_000, random, out);
        ring.record(99, view.version(), NOW + 40_000_000, out);

        assertThat(ring.of(99)).singleElement().satisfies(decision -> {
            assertThat(decision.attempt()).isEqualTo(1);
            assertThat(decision.viewVersion()).isEqualTo(view.version());
            assertThat(decision.nowNanos()).isEqualTo(NOW + 40_000_000);
            assertThat(decision.reason()).isEqualTo(Routing.Reason.STRATEGY);
            // 1 and 2 are less than half a request apart: either may be picked
            assertThat(decision.picked()).isBetween(1, 2);
            // the peer's fair share is 2/3 everywhere; of what it has above that, exp(-50 ms / 1 s) is left, less the
            // noise
            // sqrt(2/3 (1 - exp(-100 ms / 1 s))) = 0.252
            assertThat(decision.candidates())
                    .containsExactly(
                            candidate(1, Standing.ROUTABLE, 1, 667),
                            candidate(2, Standing.ROUTABLE, 0, 1_683),
                            candidate(3, Standing.QUARANTINED, 0, 667));
            assertThat(decision.counts())
                    .containsExactlyInAnyOrderEntriesOf(Map.of(
                            Standing.ROUTABLE, 2,
                            Standing.RAMPING, 0,
                            Standing.NO_SLOT, 0,
                            Standing.SOFT, 0,
                            Standing.QUARANTINED, 1,
                            Standing.HARD, 0,
                            Standing.EXCLUDED_NO_SLOT, 0,
                            Standing.TRIED, 0,
                            Standing.NOT_CANDIDATE, 0));
        });
    }

    /** Its sample is 40 ms old, nobody waits, a tenth of the KV cache is used. */
    private static Decision.Candidate candidate(int number, Standing standing, int own, int peersMilli) {
        return new Decision.Candidate(
                number, standing, own, peersMilli, 0, 0, WEIGHT, Warmth.NONE, 40, Freshness.FRESH, 0, 0.1);
    }

    @Test
    void attempts_of_a_request_are_told_in_order_and_the_oldest_are_forgotten() {
        Fleet fleet = Fleet.fresh(2, NOW);
        DecisionRing ring = new DecisionRing(4);
        for (int i = 0; i < 3; i++) {
            policy.route(fleet.view.current(), Fleet.MODEL, PickRule.DEFAULT, NOW, random, out);
            ring.record(5, 1, NOW, out);
        }

        List<Decision> all = ring.of(5);
        assertThat(all).extracting(Decision::attempt).containsExactly(1, 2, 3);
        assertThat(all.get(1).counts()).containsEntry(Standing.TRIED, 1);
        assertThat(all.get(2).reason()).isEqualTo(Routing.Reason.NO_REPLICA);

        for (int i = 0; i < 3; i++) ring.record(6, 1, NOW, out);
        assertThat(ring.of(5)).extracting(Decision::attempt).containsExactly(3);
        assertThat(ring.of(7)).isEmpty();
    }

    @Test
    void deciding_and_recording_allocates_nothing() {
        int decisions = 100_000;
        Fleet fleet = Fleet.fresh(32, NOW);
        RosterImage view = fleet.view.current();
        DecisionRing ring = new DecisionRing();
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        decide(view, ring, decisions);

        long before = thread.getCurrentThreadAllocatedBytes();
        decide(view, ring, decisions);
        double perDecision = (thread.getCurrentThreadAllocatedBytes() - before) / (double) decisions;

        assertThat(perDecision).isLessThanOrEqualTo(0.01);
        assertThat(DecisionRing.BYTES).isEqualTo(360);
    }

    private void decide(RosterImage view, DecisionRing ring, int decisions) {
        for (int i = 0; i < decisions; i++) {
            out.clear();
            policy.route(view, Fleet.MODEL, PickRule.DEFAULT, NOW, random, out);
            ring.record(i, view.version(), NOW, out);
        }
    }
}
