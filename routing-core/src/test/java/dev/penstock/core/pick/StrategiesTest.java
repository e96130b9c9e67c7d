package dev.penstock.core.pick;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.Fleet;
import dev.penstock.core.view.HotRow;
import dev.penstock.core.view.PoolLoad;
import dev.penstock.core.view.ReplicaCell;
import dev.penstock.model.Freshness;
import dev.penstock.model.Header;
import dev.penstock.model.InflightVector;
import dev.penstock.model.RoutingStrategy;
import dev.penstock.model.Sample;
import dev.penstock.model.Shards;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each strategy by its name. Shares are of {@value #DECISIONS} decisions and may be off by five standard deviations of a
 * binomial, which happens once in two million.
 */
class StrategiesTest {
    private static final long NOW = 1_000_000_000_000L;
    private static final long LATER = NOW + 3_000 * Fleet.MS;
    private static final int DECISIONS = 20_000;
    private static final int MISSING = 1;

    private final RoutingPolicy policy = new RoutingPolicy();
    private final Routing out = new Routing();

    @Test
    void random_is_even_over_those_that_nothing_excludes_whatever_their_load() {
        Fleet fleet = withOwn(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
        shut(fleet, 1);
        shut(fleet, 7);

        int[] picks = picks(fleet, rule("random"));

        for (int number = 1; number <= 12; number++) {
            assertShare(picks[number], number == 1 || number == 7 ? 0 : 1 / 10.0);
        }
    }

    @Test
    void power_of_two_takes_the_better_of_two_that_are_drawn_evenly() {
        int n = 10;
        Fleet fleet = withOwn(IntStream.range(0, n).toArray());
        PickRule rule = rule("power-of-two");
        SplittableRandom random = new SplittableRandom(3);
        int[] picks = new int[n + 1];

        for (int i = 0; i < DECISIONS; i++) {
            picks[pick(fleet, rule, random)]++;
            Shortlist two = out.shortlist();
            assertThat(two.size()).isEqualTo(2);
            assertThat(two.number(0)).isEqualTo(picked());
            assertThat(two.scoreMilli(0)).isLessThan(two.scoreMilli(1));
        }

        // Rank r is the better one of C(n, 2) pairs with each of the n - 1 - r that are worse.
        for (int rank = 0; rank < n; rank++) {
            assertShare(picks[rank + 1], (n - 1 - rank) / (n * (n - 1) / 2.0));
        }
    }

    @Test
    void least_request_picks_a_minimum_and_ties_evenly() {
        Fleet fleet = withOwn(2, 1, 5, 1, 3, 1, 1, 2, 1, 4, 1, 1, 1, 1, 1);

        int[] picks = picks(fleet, rule("least-request"));

        for (int number = 1; number <= 15; number++) {
            assertShare(picks[number], cell(fleet, number).own() == 1 ? 1 / 10.0 : 0);
        }
    }

    @Test
    void top_k_is_even_among_those_within_half_a_request_of_the_least() {
        Fleet fleet = withOwn(1, 0, 1, 0, 1, 0, 1, 1, 1);

        int[] picks = picks(fleet, rule("least-request-top-k"));

        for (int number = 1; number <= 9; number++) {
            assertShare(picks[number], cell(fleet, number).own() == 0 ? 1 / 3.0 : 0);
        }
    }

    @Test
    void top_k_is_even_among_the_five_least_of_more_that_tie() {
        Fleet fleet = withOwn(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

        int[] picks = picks(fleet, rule("least-request-top-k"));

        for (int number = 1; number <= 12; number++) assertShare(picks[number], 1 / 12.0);
    }

    @Test
    void k_says_how_many_of_the_least_are_looked_at() {
        Fleet fleet = withOwn(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);

        for (String name : List.of("least-request-top-k", "load-balance")) {
            for (int k = 1; k <= RoutingStrategy.MOST_K; k++) {
                int[] picks = picks(fleet, rule(name, k, 100.0));
                for (int number = 1; number <= 10; number++) assertShare(picks[number], number <= k ? 1.0 / k : 0);
            }
        }
    }

    @Test
    void epsilon_says_how_far_above_the_least_still_ties() {
        Fleet fleet = withOwn(0, 1, 2, 3);

        for (String name : List.of("least-request-top-k", "load-balance")) {
            assertShares(picks(fleet, rule(name, 4, 0.0)), 1);
            assertShares(picks(fleet, rule(name, 4, 0.999)), 1);
            assertShares(picks(fleet, rule(name, 4, 1.1)), 1 / 2.0, 1 / 2.0);
            assertShares(picks(fleet, rule(name, 4, 2.5)), 1 / 3.0, 1 / 3.0, 1 / 3.0);
            assertShares(picks(fleet, rule(name, 2, 2.5)), 1 / 2.0, 1 / 2.0);
        }
    }

    @Test
    void epsilon_counts_to_the_thousandth() {
        Fleet fleet = withOwn(0);

        for (int milli = 0; milli <= 10_000; milli++) {
            long order = rule("load-balance", 2, milli / 1e3).order(pool(fleet));
            assertThat(PickOrder.epsilonMilli(order)).isEqualTo(milli);
        }
    }

    @Test
    void a_strategy_that_draws_counts_the_pool_as_the_others_do() {
        // Nobody has asked for the index yet, and no sweep has passed over it.
        for (String name : List.of("least-request", "random", "power-of-two")) {
            Fleet fleet = withOwn(0, 0, 0, 0, 0);

            pick(fleet, rule(name), new SplittableRandom(1));

            assertThat(out.candidates()).as(name).isEqualTo(5);
            assertThat(out.shortlist().count(Standing.NOT_CANDIDATE)).as(name).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"least-request", "random", "power-of-two"})
    void what_was_tried_is_not_counted_among_the_candidates(String name) {
        Fleet fleet = withOwn(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        fleet.view.refresh(NOW);
        out.clear();
        policy.route(fleet.view.current(), Fleet.MODEL, rule(name), NOW, new SplittableRandom(1), out);
        assertThat(out.candidates()).isEqualTo(20);
        out.replica().cell().acquire();

        policy.route(fleet.view.current(), Fleet.MODEL, rule(name), NOW, new SplittableRandom(2), out);

        assertThat(out.candidates()).isEqualTo(19);
        assertThat(out.shortlist().count(Standing.TRIED)).isEqualTo(1);
    }

    @Test
    void ties_at_the_edge_of_the_k_are_drawn_evenly() {
        // The three least and two of the five that come next.
        Fleet fleet = withOwn(0, 0, 0, 1, 1, 1, 1, 1, 9);

        int[] picks = picks(fleet, rule("least-request-top-k", 5, 1.0));

        double next = 2 / 5.0 / 5;
        assertShares(picks, 1 / 5.0, 1 / 5.0, 1 / 5.0, next, next, next, next, next);
    }

    @Test
    void load_balance_takes_the_least_where_requests_are_dense_and_one_of_eight_where_they_are_sparse() {
        Fleet dense = withOwn(2, 2, 2, 2, 2, 2, 2, 2, 2, 2);
        dense.view.refresh(NOW);
        assertThat(PickOrder.k(rule("load-balance").order(pool(dense)))).isEqualTo(1);

        Fleet sparse = withOwn(1, 1, 1, 1, 1, 1, 1, 1, 2, 2);
        sparse.view.refresh(NOW);
        assertThat(PickOrder.k(rule("load-balance").order(pool(sparse)))).isEqualTo(8);
        assertThat(PickOrder.k(rule("load-balance", 3, null).order(pool(sparse))))
                .isEqualTo(3);
    }

    @Test
    void a_blend_with_all_the_weight_on_the_load_is_least_request() {
        Fleet fleet = withOwn(3, 1, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5);
        SplittableRandom one = new SplittableRandom(5);
        SplittableRandom other = new SplittableRandom(5);

        for (int i = 0; i < DECISIONS; i++) {
            int pure = pick(fleet, rule("least-request"), one);
            assertThat(pick(fleet, rule("least-request:1,random:0"), other)).isEqualTo(pure);
        }
    }

    @Test
    void a_blend_with_all_the_weight_on_random_is_random_among_the_eight_least() {
        // A blend takes its candidates from the index.
        Fleet fleet = withOwn(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);

        int[] picks = picks(fleet, rule("least-request:0,random:1"));

        for (int number = 1; number <= 10; number++) assertShare(picks[number], number <= 8 ? 1 / 8.0 : 0);
    }

    @Test
    void a_blend_is_between_what_it_is_made_of_and_follows_its_weights() {
        Fleet fleet = withOwn(0, 1, 2, 3, 4, 5, 6, 7);
        double before = meanOwn(fleet, "least-request");
        assertThat(before).isZero();

        for (String blend :
                List.of("least-request:4,random:1", "least-request:1,random:1", "least-request:1,random:4")) {
            double mean = meanOwn(fleet, blend);
            assertThat(mean).as(blend).isGreaterThan(before + 0.05);
            before = mean;
        }

        // 3.5, give or take five standard errors of 0.016
        assertThat(meanOwn(fleet, "random")).isBetween(3.42, 3.58).isGreaterThan(before + 0.1);
    }

    @Test
    void a_blend_weighs_scores_that_are_scaled_to_the_same_range() {
        // One of seven steps of load weighs 4/7, so the second beats the first when it draws that much less; the third
        // never.
        int[] picks = picks(withOwn(0, 1, 2, 3, 4, 5, 6, 7), rule("least-request:4,random:1"));

        // Weights and steps are whole numbers: 818 x 142 against 204 x 1,000.
        double step = 818 * 142 / 204_000.0;
        double second = (1 - step) * (1 - step) / 2;
        assertShares(picks, 1 - second, second);
    }

    @Test
    void a_blend_with_top_k_spreads_by_epsilon() {
        Fleet fleet = withOwn(0, 1, 2, 3, 4, 5, 6, 7);

        PickRule narrow = rule("least-request:1,least-request-top-k:1000", null, 0.5);
        PickRule wide = rule("least-request:1,least-request-top-k:1000", null, 3.0);

        assertShares(picks(fleet, narrow), 1);
        int[] picks = picks(fleet, wide);
        assertThat(picks[1]).isGreaterThan(picks[2]);
        assertThat(picks[2]).isGreaterThan(picks[3]);
        assertThat(picks[3]).isPositive();
        // more than epsilon above the least
        for (int number = 5; number <= 8; number++) assertThat(picks[number]).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "random",
                "power-of-two",
                "least-request",
                "least-request-top-k",
                "load-balance",
                "least-request:1,random:3"
            })
    void what_is_excluded_or_was_tried_is_not_picked(String name) {
        SplittableRandom random = new SplittableRandom(9);
        PickRule rule = rule(name);
        for (int round = 0; round < 300; round++) {
            int[] own = random.ints(20, 0, 4).toArray();
            Fleet fleet = withOwn(own);
            List<Integer> open = new ArrayList<>();
            for (int number = 1; number <= 20; number++) {
                if (random.nextBoolean()) shut(fleet, number);
                else open.add(number);
            }
            int attempts = Math.min(open.size(), Routing.MAX_ATTEMPTS);

            out.clear();
            for (int i = 0; i < attempts; i++) {
                policy.route(fleet.view.current(), Fleet.MODEL, rule, NOW, random, out);

                assertThat(out.reason()).isEqualTo(Routing.Reason.STRATEGY);
                assertThat(open).contains(picked());
                open.remove((Integer) picked());
            }
        }
    }

    @Test
    void a_decision_is_marked_when_most_of_the_pool_is_not_fresh() {
        Fleet fleet = Fleet.fresh(10, NOW);
        fleet.view.refresh(NOW);
        pick(fleet, PickRule.DEFAULT, new SplittableRandom(1));
        assertThat(out.shortlist().degraded()).isFalse();

        long later = NOW + 1_000 * Fleet.MS;
        sample(fleet, later, 1, 2, 3, 4, 5);
        fleet.view.refresh(later);
        pick(fleet, PickRule.DEFAULT, new SplittableRandom(1));
        assertThat(out.shortlist().degraded()).as("half are FRESH").isFalse();

        later += 1_000 * Fleet.MS;
        sample(fleet, later, 1, 2, 3, 4);
        fleet.view.refresh(later);
        pick(fleet, PickRule.DEFAULT, new SplittableRandom(1));
        assertThat(out.shortlist().degraded()).as("four of ten are FRESH").isTrue();
    }

    @Test
    void a_missing_replica_ranks_behind_every_fresh_one_that_is_like_it() {
        for (int own = 0; own <= 6; own++) {
            for (int peers = 0; peers <= 6; peers += 3) {
                Fleet fleet = allAlikeButOneMissing(own, peers);
                SplittableRandom random = new SplittableRandom(own);

                for (int i = 0; i < 500; i++) {
                    out.clear();
                    policy.route(fleet.view.current(), Fleet.MODEL, rule("load-balance", 8, 0.0), LATER, random, out);

                    Shortlist list = out.shortlist();
                    assertThat(list.size()).isEqualTo(6);
                    assertThat(list.number(5)).isEqualTo(MISSING);
                    assertThat(HotRow.freshness(list.signal(5), list.sampledAtNanos(5), LATER))
                            .isEqualTo(Freshness.MISSING);
                    assertThat(list.own(5)).isEqualTo(list.own(0));
                    assertThat(list.peersMilli(5)).isEqualTo(list.peersMilli(0));
                    assertThat(list.scoreMilli(5)).isGreaterThan(list.scoreMilli(4));
                    assertThat(picked()).isNotEqualTo(MISSING);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "random",
                "power-of-two",
                "least-request",
                "least-request-top-k",
                "load-balance",
                "least-request:1,random:3"
            })
    void no_strategy_picks_a_missing_replica_more_often_than_a_fresh_one(String name) {
        int[] picks = picks(allAlikeButOneMissing(1, 2), rule(name));

        for (int number = 2; number <= 6; number++) {
            double fiveSigma = 5 * Math.sqrt(picks[MISSING] + picks[number]);
            assertThat(picks[MISSING] - picks[number]).as(name).isLessThan((int) fiveSigma);
        }
        switch (name) {
            case "power-of-two", "least-request", "least-request:1,random:3" ->
                assertThat(picks[MISSING])
                        .isLessThan(Arrays.stream(picks, 2, 7).min().orElseThrow());
            default -> {}
        }
    }

    /** Six replicas that differ in nothing but that the first was not heard of for 3 s. */
    private static Fleet allAlikeButOneMissing(int own, int peers) {
        int[] each = new int[6];
        Arrays.fill(each, own);
        Fleet fleet = withOwn(each);
        sample(fleet, LATER, 2, 3, 4, 5, 6);
        int[] numbers = IntStream.rangeClosed(1, 6).toArray();
        int[] counts = new int[6];
        Arrays.fill(counts, peers);
        fleet.view.apply(
                new InflightVector(new Header("router-1", 7, 1, -1, LATER), 1, true, numbers, counts, List.of()),
                LATER);
        for (int i = 0; i < 3; i++) fleet.view.refresh(LATER);
        return fleet;
    }

    private static void sample(Fleet fleet, long nowNanos, int... numbers) {
        for (int number : numbers) {
            List<Sample> samples = List.of(Fleet.sample(number, 0));
            fleet.view.apply(fleet.frame(Shards.of(number), false, new BitSet(), samples, nowNanos), nowNanos);
        }
    }

    /** Replicas 1, 2, ... with so many requests of this router each. */
    private static Fleet withOwn(int... own) {
        Fleet fleet = Fleet.fresh(own.length, NOW);
        for (int i = 0; i < own.length; i++) {
            for (int j = 0; j < own[i]; j++) cell(fleet, i + 1).acquire();
        }
        return fleet;
    }

    private static PickRule rule(String text) {
        return PickRule.of(RoutingStrategy.parse(text));
    }

    private static PickRule rule(String text, Integer k, Double epsilon) {
        return PickRule.of(RoutingStrategy.parse(text).with(k, epsilon));
    }

    /** By number. */
    private int[] picks(Fleet fleet, PickRule rule) {
        SplittableRandom random = new SplittableRandom(3);
        int[] picks = new int[fleet.view.current().entries().size() + 1];
        for (int i = 0; i < DECISIONS; i++) picks[pick(fleet, rule, random)]++;
        return picks;
    }

    private double meanOwn(Fleet fleet, String name) {
        int[] picks = picks(fleet, rule(name));
        long sum = 0;
        for (int number = 1; number < picks.length; number++)
            sum += (long) picks[number] * cell(fleet, number).own();
        return (double) sum / DECISIONS;
    }

    private int pick(Fleet fleet, PickRule rule, SplittableRandom random) {
        out.clear();
        policy.route(fleet.view.current(), Fleet.MODEL, rule, NOW, random, out);
        return picked();
    }

    private int picked() {
        return out.replica().replica().number();
    }

    private static PoolLoad pool(Fleet fleet) {
        return fleet.view.current().candidates(Fleet.MODEL).pool();
    }

    /** Of replicas 1, 2, ...; those that are not named have none. */
    private static void assertShares(int[] picks, double... shares) {
        for (int number = 1; number < picks.length; number++) {
            assertShare(picks[number], number <= shares.length ? shares[number - 1] : 0);
        }
    }

    private static void assertShare(int picks, double share) {
        double fiveSigma = 5 * Math.sqrt(DECISIONS * share * (1 - share));
        assertThat((double) picks).isBetween(DECISIONS * share - fiveSigma, DECISIONS * share + fiveSigma);
    }

    private static ReplicaCell cell(Fleet fleet, int number) {
        return fleet.view.current().byNumber(number).cell();
    }

    private static void shut(Fleet fleet, int number) {
        for (int i = 0; i < 3; i++) cell(fleet, number).failed(1, NOW, new SplittableRandom(number));
    }
}
