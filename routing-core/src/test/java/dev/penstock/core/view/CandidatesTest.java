package dev.penstock.core.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.Fleet;
import dev.penstock.core.pick.PickRule;
import dev.penstock.core.pick.Routing;
import dev.penstock.core.pick.RoutingPolicy;
import dev.penstock.core.pick.Standing;
import dev.penstock.model.RoutingStrategy;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The index in somebody else's hands. A test that holds it and asks for it on the same thread would never come to its end if
 * anything waited for the holder.
 */
class CandidatesTest {
    private static final long NOW = 1_000_000_000_000L;
    private static final int DECISIONS = 20_000;
    private static final int REQUESTS = 100_000;
    private static final PickRule LEAST_REQUEST = PickRule.of(RoutingStrategy.parse("least-request"));

    private final RoutingPolicy policy = new RoutingPolicy();
    private final SplittableRandom random = new SplittableRandom(7);
    private final Routing out = new Routing();

    @Test
    void while_the_index_is_held_the_best_of_four_drawn_ones_is_taken() {
        int n = 12;
        Fleet fleet = withOwn(IntStream.range(0, n).toArray());
        int[] picks = new int[n];
        hold(fleet);

        for (int i = 0; i < DECISIONS; i++) {
            route(fleet);

            assertThat(out.reason()).isEqualTo(Routing.Reason.CONTENDED);
            assertThat(out.shortlist().size()).isEqualTo(4);
            assertThat(out.replica().replica().number())
                    .isEqualTo(out.shortlist().number(0));
            for (int at = 1; at < 4; at++) {
                assertThat(out.shortlist().scoreMilli(at))
                        .isGreaterThan(out.shortlist().scoreMilli(0));
            }
            picks[out.replica().cell().own()]++;
        }

        // The best of four is of rank r in C(n - 1 - r, 3) of C(n, 4) cases.
        for (int rank = 0; rank < n; rank++) {
            double chance = choose(n - 1 - rank, 3) / choose(n, 4);
            double fiveSigma = 5 * Math.sqrt(DECISIONS * chance * (1 - chance));
            assertThat((double) picks[rank]).isBetween(DECISIONS * chance - fiveSigma, DECISIONS * chance + fiveSigma);
        }
    }

    @Test
    void the_index_is_used_again_as_soon_as_it_is_let_go() {
        Fleet fleet = withOwn(1, 1, 0, 1);
        hold(fleet);
        route(fleet);
        assertThat(out.reason()).isEqualTo(Routing.Reason.CONTENDED);

        candidates(fleet).letGo();
        route(fleet);

        assertThat(out.reason()).isEqualTo(Routing.Reason.STRATEGY);
        assertThat(out.replica().replica().number()).isEqualTo(3);
    }

    @Test
    void while_the_index_is_held_the_only_routable_one_of_many_is_found() {
        Fleet fleet = Fleet.fresh(200, NOW);
        route(fleet);
        for (int number = 1; number <= 200; number++) if (number != 137) shut(fleet, number);
        hold(fleet);

        for (int i = 0; i < 1_000; i++) {
            route(fleet);
            assertThat(out.reason()).isEqualTo(Routing.Reason.CONTENDED);
            assertThat(out.replica().replica().number()).isEqualTo(137);
        }

        // It was tried: the mildest of the others, and only now.
        policy.route(fleet.view.current(), Fleet.MODEL, LEAST_REQUEST, NOW, random, out);
        assertThat(out.reason()).isEqualTo(Routing.Reason.PANIC);
        assertThat(out.shortlist().standing(0)).isEqualTo(Standing.QUARANTINED);
    }

    @Test
    void what_nobody_could_ever_ask_for_yet_may_be_held_too() {
        Fleet fleet = Fleet.fresh(3, NOW);
        hold(fleet);
        cell(fleet, 1).acquire();
        cell(fleet, 2).acquire();
        route(fleet);
        assertThat(out.reason()).isEqualTo(Routing.Reason.CONTENDED);

        candidates(fleet).letGo();

        assertThat(lowest(fleet, 1)).containsExactly(3);
    }

    @Test
    void while_the_index_is_held_nothing_that_needs_it_waits() {
        Fleet fleet = Fleet.fresh(3, NOW);
        route(fleet);
        hold(fleet);

        assertThat(candidates(fleet)
                        .lowest(
                                Candidates.Basis.SCORE,
                                new int[3],
                                3,
                                0,
                                new int[ReplicaCell.Exclusion.values().length]))
                .isEqualTo(Candidates.CONTENDED);
        cell(fleet, 1).acquire();
        cell(fleet, 1).release();
        shut(fleet, 2);
        fleet.peer("router-1", 3, 2, NOW);
        fleet.view.refresh(NOW);
        fleet.view.apply(Fleet.roster(4, "u", false));

        assertThat(fleet.view.current().entries()).hasSize(4);
    }

    @Test
    void the_next_holder_applies_what_changed_meanwhile() {
        // Several words of corrections, and a word of which only one bit is set.
        Fleet fleet = Fleet.fresh(200, NOW);
        route(fleet);
        for (int kept : new int[] {1, 64, 65, 127, 200}) {
            hold(fleet);
            for (int number = 1; number <= 200; number++)
                if (number != kept) cell(fleet, number).acquire();
            candidates(fleet).letGo();
            assertThat(lowest(fleet, 1)).containsExactly(kept);

            hold(fleet);
            for (int number = 1; number <= 200; number++)
                if (number != kept) cell(fleet, number).release();
            cell(fleet, kept).acquire();
            candidates(fleet).letGo();
            assertThat(lowest(fleet, 199)).hasSize(199).doesNotContain(kept);

            cell(fleet, kept).release();
        }
    }

    @Test
    void the_next_holder_applies_exclusions_and_what_is_no_candidate_any_more() {
        Fleet fleet = Fleet.fresh(100, NOW);
        int[] counts = new int[ReplicaCell.Exclusion.values().length];
        candidates(fleet).lowest(Candidates.Basis.SCORE, new int[1], 1, 0, counts);
        assertThat(counts).containsExactly(100, 0, 0, 0, 0, 0, 0);

        hold(fleet);
        for (int number = 1; number <= 30; number++) shut(fleet, number);
        candidates(fleet).letGo();
        candidates(fleet).lowest(Candidates.Basis.SCORE, new int[1], 1, 0, counts);
        assertThat(counts).containsExactly(70, 0, 0, 0, 30, 0, 0);

        hold(fleet);
        for (int number = 1; number <= 30; number++) {
            cell(fleet, number).connectResult(true, NOW, random);
            cell(fleet, number).succeeded();
        }
        cell(fleet, 50).telemetry(ReplicaCell.Telemetry.NONE);
        candidates(fleet).letGo();
        candidates(fleet).lowest(Candidates.Basis.SCORE, new int[1], 1, 0, counts);
        assertThat(counts).containsExactly(99, 0, 0, 0, 0, 0, 0);
        assertThat(lowest(fleet, 100)).hasSize(99).doesNotContain(50);
    }

    @Test
    void two_loops_and_the_writer_at_once_lose_no_slot_and_no_count() throws Exception {
        int replicas = 100;
        Fleet fleet = Fleet.fresh(replicas, NOW);
        try (ExecutorService loops = Executors.newFixedThreadPool(2)) {
            Future<Integer> one = loops.submit(loop(fleet, 1));
            Future<Integer> two = loops.submit(loop(fleet, 2));
            for (int i = 0; i < 2_000; i++) fleet.view.refresh(NOW);
            assertThat(one.get() + two.get()).isEqualTo(2 * REQUESTS);
        }

        fleet.view.refresh(NOW);

        for (ReplicaEntry entry : fleet.view.current().entries()) {
            assertThat(entry.cell().own()).isZero();
            assertThat(entry.cell().quarantine().admits()).isTrue();
        }
        agrees(fleet, replicas);
        // And goes on agreeing: each slot is told of.
        for (int number = 1; number <= replicas; number++) {
            for (int i = 0; i < random.nextInt(6); i++) cell(fleet, number).acquire();
        }
        agrees(fleet, replicas);
    }

    @Test
    void a_roster_that_is_past_and_asked_for_late_takes_no_slot_out_of_the_present_ones_hands() throws Exception {
        int replicas = 40;
        CyclicBarrier meet = new CyclicBarrier(2);
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            for (int round = 0; round < 2_000; round++) {
                Fleet fleet = new Fleet();
                for (int number = 2; number <= replicas; number++) fleet.view.apply(Fleet.roster(number, "u", false));
                Candidates past = candidates(fleet);
                // All slots move up by one.
                fleet.view.apply(Fleet.roster(1, "u", false));
                Future<?> late = other.submit(() -> {
                    meet.await();
                    past.lowest(
                            Candidates.Basis.SCORE, new int[1], 1, 0, new int[ReplicaCell.Exclusion.values().length]);
                    return null;
                });
                meet.await();
                lowest(fleet, 1);
                late.get();

                for (ReplicaEntry entry : fleet.view.current().entries())
                    entry.cell().vouchFor();
                assertThat(lowest(fleet, replicas)).hasSize(replicas);
            }
        }
    }

    /** Requests that end in another order than they began, some of them badly. */
    private Callable<Integer> loop(Fleet fleet, int seed) {
        return () -> {
            SplittableRandom own = new SplittableRandom(seed);
            Routing routing = new Routing();
            ReplicaEntry[] open = new ReplicaEntry[64];
            int routed = 0;
            for (int i = 0; i < REQUESTS; i++) {
                int at = own.nextInt(open.length);
                end(open[at], own);
                routing.clear();
                policy.route(fleet.view.current(), Fleet.MODEL, LEAST_REQUEST, NOW, own, routing);
                open[at] = routing.replica();
                if (open[at] == null) continue;
                open[at].cell().acquire();
                routed++;
            }
            for (ReplicaEntry each : open) end(each, own);
            return routed;
        };
    }

    private static void end(ReplicaEntry entry, SplittableRandom random) {
        if (entry == null) return;
        ReplicaCell cell = entry.cell();
        cell.release();
        if (random.nextInt(8) == 0) {
            cell.failed(1, NOW, random);
            // All are back in the end: whoever is shut is let in again by whoever sees it.
            cell.connectResult(true, NOW, random);
        }
        cell.succeeded();
    }

    /** Each slot is there once, where its cell's numbers say. */
    private void agrees(Fleet fleet, int replicas) {
        int[] counts = new int[ReplicaCell.Exclusion.values().length];
        int[] slots = new int[replicas + 1];
        assertThat(candidates(fleet).lowest(Candidates.Basis.SCORE, slots, slots.length, 0, counts))
                .isEqualTo(replicas);
        assertThat(counts).containsExactly(replicas, 0, 0, 0, 0, 0, 0);
        assertThat(Arrays.stream(slots, 0, replicas).distinct().count()).isEqualTo(replicas);
        // Whole requests are more than a bucket apart.
        int[] own = Arrays.stream(slots, 0, replicas)
                .map(slot -> candidates(fleet).entry(slot).cell().own())
                .toArray();
        assertThat(own).isSorted();
    }

    private void route(Fleet fleet) {
        out.clear();
        policy.route(fleet.view.current(), Fleet.MODEL, LEAST_REQUEST, NOW, random, out);
    }

    private static void hold(Fleet fleet) {
        assertThat(candidates(fleet).hold()).isTrue();
    }

    /** Numbers, the least loaded first. */
    private int[] lowest(Fleet fleet, int most) {
        int[] slots = new int[most];
        int found = candidates(fleet)
                .lowest(
                        Candidates.Basis.SCORE,
                        slots,
                        most,
                        random.nextLong(),
                        new int[ReplicaCell.Exclusion.values().length]);
        return Arrays.stream(slots, 0, found)
                .map(slot -> candidates(fleet).entry(slot).replica().number())
                .toArray();
    }

    private static Fleet withOwn(int... own) {
        Fleet fleet = Fleet.fresh(own.length, NOW);
        for (int i = 0; i < own.length; i++) {
            for (int j = 0; j < own[i]; j++) cell(fleet, i + 1).acquire();
        }
        return fleet;
    }

    private static double choose(int n, int k) {
        if (n < k) return 0;
        double ways = 1;
        for (int i = 0; i < k; i++) ways = ways * (n - i) / (i + 1);
        return ways;
    }

    private static Candidates candidates(Fleet fleet) {
        return fleet.view.current().candidates(Fleet.MODEL);
    }

    private static ReplicaCell cell(Fleet fleet, int number) {
        return fleet.view.current().byNumber(number).cell();
    }

    private void shut(Fleet fleet, int number) {
        for (int i = 0; i < 3; i++) cell(fleet, number).failed(1, NOW, random);
    }
}
