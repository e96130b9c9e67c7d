package dev.penstock.core.pick;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.penstock.core.Fleet;
import dev.penstock.core.prefix.PrefixChain;
import dev.penstock.core.prefix.PrefixMatch;
import dev.penstock.core.prefix.PrefixTable;
import dev.penstock.core.session.PlacementRing;
import dev.penstock.core.view.ReplicaCell;
import dev.penstock.model.Header;
import dev.penstock.model.HealthRecord;
import dev.penstock.model.RoutingStrategy;
import dev.penstock.model.Verdict;
import dev.penstock.testkit.record.ReplicaBuilder;
import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where sessions and known prompts go. All replicas have a tenth of their KV cache in use, so a request weighs 1.02. */
class AffinityTest {
    private static final long NOW = 1_000_000_000_000L;
    private static final int DECISIONS = 200;
    private static final int OWNER = 3;

    private final RoutingPolicy policy = new RoutingPolicy();
    private final SplittableRandom random = new SplittableRandom(4);
    private final Routing out = new Routing();
    private final Affinity affinity = new Affinity();

    @ParameterizedTest
    @ValueSource(strings = {"load-balance", "session-affinity"})
    void who_has_the_session_gets_it_until_sixteen_requests_busier(String name) {
        Fleet fleet = Fleet.fresh(12, NOW);
        affinity.session(77, OWNER);

        for (int own = 0; own <= 18; own++) {
            if (own <= 15) assertThat(picks(fleet, name)).as("own %s", own).containsExactly(OWNER);
            if (own >= 17) assertThat(picks(fleet, name)).as("own %s", own).doesNotContain(OWNER);
            cell(fleet, OWNER).acquire();
        }
    }

    @Test
    void in_a_busy_pool_who_has_the_session_may_be_half_the_mean_busier() {
        Fleet fleet = withOwn(12, 40);
        affinity.session(77, OWNER);

        // (40 + 1) / 2 = 20.5 requests of an even replica
        for (int i = 0; i < 19; i++) cell(fleet, OWNER).acquire();
        assertThat(picks(fleet, "load-balance")).containsExactly(OWNER);
        for (int i = 0; i < 2; i++) cell(fleet, OWNER).acquire();
        assertThat(picks(fleet, "load-balance")).doesNotContain(OWNER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"random", "power-of-two", "least-request", "least-request-top-k", "prefix-cache"})
    void strategies_that_do_not_ask_where_the_session_is_send_it_anywhere(String name) {
        Fleet fleet = Fleet.fresh(12, NOW);
        affinity.session(77, OWNER);

        assertThat(picks(fleet, name)).hasSizeGreaterThan(4);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_session_whose_owner_is_lost_goes_to_the_rings_first_place_alike_on_all_routers(boolean excluded) {
        Fleet one = Fleet.fresh(40, NOW);
        // Another router: told of the replicas in another order, and with a request of its own at each.
        Fleet other = new Fleet();
        for (int number = 40; number >= 1; number--) other.view.apply(Fleet.roster(number, "u", false));
        other.sampleAll(40, NOW - 100 * Fleet.MS);
        other.sampleAll(40, NOW);
        for (int number = 1; number <= 40; number++) cell(other, number).acquire();
        int lost = excluded ? OWNER : 99;
        for (Fleet each : new Fleet[] {one, other}) if (excluded) shut(each, OWNER);

        Set<Integer> firsts = new TreeSet<>();
        for (long key = 1; key <= 300; key++) {
            affinity.clear();
            affinity.session(key, lost);
            int first = place(one, key, 0);
            if (excluded && first == OWNER) first = place(one, key, 1);
            assertThat(pick(one, "load-balance")).as("key %s", key).isEqualTo(first);
            assertThat(pick(other, "load-balance")).as("key %s", key).isEqualTo(first);
            firsts.add(first);
        }
        assertThat(firsts).hasSizeGreaterThan(30);
    }

    @Test
    void a_session_that_nobody_has_goes_to_its_places_among_equals_only() {
        Fleet fleet = Fleet.fresh(20, NOW);
        affinity.session(5, Affinity.NOBODY);
        int first = place(fleet, 5, 0);
        int second = place(fleet, 5, 1);
        assertThat(picks(fleet, "session-affinity")).containsExactly(first);

        // 1 request there and 0.5 here: less than the one that has come.
        cell(fleet, first).acquire();
        assertThat(picks(fleet, "session-affinity")).containsExactly(second);
        cell(fleet, second).acquire();
        assertThat(picks(fleet, "session-affinity")).doesNotContain(first, second);
    }

    @Test
    void in_a_busy_pool_the_places_of_a_session_that_nobody_has_may_be_a_twentieth_of_the_mean_busier() {
        Fleet fleet = withOwn(20, 59);
        affinity.session(5, Affinity.NOBODY);
        int first = place(fleet, 5, 0);
        int second = place(fleet, 5, 1);

        // (59 + 1) / 20 = 3 requests there and 1.5 here.
        cell(fleet, first).acquire();
        assertThat(picks(fleet, "session-affinity")).containsExactly(first);
        cell(fleet, first).acquire();
        assertThat(picks(fleet, "session-affinity")).containsExactly(second);
        cell(fleet, second).acquire();
        assertThat(picks(fleet, "session-affinity")).containsExactly(first);
        cell(fleet, second).acquire();
        cell(fleet, first).acquire();
        assertThat(picks(fleet, "session-affinity")).doesNotContain(first, second);
    }

    @ParameterizedTest
    @ValueSource(strings = {"load-balance", "prefix-cache"})
    void who_has_the_prompt_gets_it_until_it_is_busier_than_that_saves(String name) {
        Fleet fleet = Fleet.fresh(12, NOW);
        affinity.owner(OWNER, 800);

        // 0.8 of 2 requests
        for (int own = 0; own <= 4; own++) {
            if (own <= 1) assertThat(picks(fleet, name)).as("own %s", own).containsExactly(OWNER);
            if (own >= 3) assertThat(picks(fleet, name)).as("own %s", own).doesNotContain(OWNER);
            cell(fleet, OWNER).acquire();
        }
    }

    @Test
    void the_longer_share_is_worth_more() {
        Fleet fleet = Fleet.fresh(12, NOW);
        affinity.owner(7, 900);
        affinity.owner(OWNER, 300);
        assertThat(picks(fleet, "prefix-cache")).containsExactly(7);

        // 1.8 and 0.6: a request of difference is a little less than the difference in what they save.
        cell(fleet, 7).acquire();
        assertThat(picks(fleet, "prefix-cache")).containsExactly(7);
        cell(fleet, 7).acquire();
        assertThat(picks(fleet, "prefix-cache")).containsExactly(OWNER);
    }

    @Test
    void the_session_and_the_prompt_count_together_where_both_are_asked_for() {
        Fleet fleet = Fleet.fresh(12, NOW);
        affinity.session(77, OWNER);
        affinity.owner(OWNER, 1_000);
        for (int i = 0; i < 17; i++) cell(fleet, OWNER).acquire();

        // 16 + 2 requests
        assertThat(picks(fleet, "load-balance")).containsExactly(OWNER);
        assertThat(picks(fleet, "session-affinity")).doesNotContain(OWNER);
        assertThat(picks(fleet, "prefix-cache")).doesNotContain(OWNER);
    }

    @Test
    void what_everybody_has_favours_nobody() {
        PrefixTable table = new PrefixTable(1_000, 600_000 * Fleet.MS);
        PrefixMatch match = new PrefixMatch();
        for (int number = 1; number <= 6; number++) table.learn(chain(1, 2, 3), number, NOW);

        table.find(chain(1, 2, 3, 4), NOW, match);
        affinity.prefix(match, 1_024);
        assertThat(match.wideBlocks()).isEqualTo(3);
        assertThat(affinity.none()).isTrue();
        assertThat(picks(Fleet.fresh(12, NOW), "load-balance")).hasSizeGreaterThan(8);

        table.learn(chain(1, 2, 3, 4), OWNER, NOW);
        table.find(chain(1, 2, 3, 4), NOW, match);
        affinity.prefix(match, 1_024);
        assertThat(affinity.hitMilli(OWNER)).isEqualTo(250);
        assertThat(picks(Fleet.fresh(12, NOW), "load-balance")).containsExactly(OWNER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "load-balance",
                "session-affinity",
                "prefix-cache",
                "load-balance:1,session-affinity:50",
                "least-request:1,prefix-cache:50"
            })
    void credits_never_lead_to_who_is_excluded_or_was_tried(String name) {
        Fleet quarantined = Fleet.fresh(12, NOW);
        shut(quarantined, OWNER);
        Fleet ejected = Fleet.fresh(12, NOW);
        Verdict verdict = new Verdict.Ejected(Verdict.Severity.SOFT, "cut streams", 1, 5_000_000);
        ejected.view.apply(
                new HealthRecord(
                        new Header("health-0", 3, 1, 1, 0), OWNER, "u", verdict, 10_000_000, HealthRecord.NO_PASS, 0),
                NOW);
        for (Fleet fleet : new Fleet[] {quarantined, ejected, asleep()}) {
            affinity.clear();
            affinity.session(77, OWNER);
            affinity.owner(OWNER, 1_000);
            assertThat(picks(fleet, name)).isNotEmpty().doesNotContain(OWNER);
        }

        Fleet fleet = Fleet.fresh(12, NOW);
        out.clear();
        Set<Integer> tried = new TreeSet<>();
        for (int i = 0; i < Routing.MAX_ATTEMPTS; i++) {
            policy.route(fleet.view.current(), Fleet.MODEL, rule(name), affinity, NOW, random, out);
            assertThat(tried.add(out.replica().replica().number())).isTrue();
        }
        assertThat(tried).contains(OWNER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"load-balance", "session-affinity", "least-request:1,session-affinity:2"})
    void what_is_pinned_to_a_new_replica_goes_there_although_it_has_what_it_should(String name) {
        Fleet fleet = ramping();
        affinity.session(77, OWNER);

        assertThat(picks(fleet, name)).containsExactly(OWNER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"load-balance", "prefix-cache", "least-request:1,prefix-cache:50"})
    void a_new_replica_that_has_what_it_should_gets_no_other_prompts_that_it_knows(String name) {
        Fleet fleet = ramping();
        affinity.owner(OWNER, 1_000);

        assertThat(picks(fleet, name)).isNotEmpty().doesNotContain(OWNER);
    }

    @Test
    void a_new_replica_that_has_what_it_should_is_no_place_for_a_session_that_nobody_has() {
        Fleet fleet = ramping();
        int its = 0;
        for (long key = 1; key <= 100; key++) {
            affinity.clear();
            affinity.session(key, Affinity.NOBODY);
            int first = place(fleet, key, 0);
            if (first == OWNER) its++;

            assertThat(pick(fleet, "session-affinity")).isEqualTo(first == OWNER ? place(fleet, key, 1) : first);
        }
        assertThat(its).isPositive();
    }

    /** New, and this router has there what it should for now. */
    private static Fleet ramping() {
        Fleet fleet = withOwn(12, 4);
        fleet.view.apply(
                ReplicaBuilder.replica(OWNER)
                        .uid("new")
                        .serving(Fleet.MODEL)
                        .readyForMillis(1_000)
                        .present(),
                NOW);
        fleet.sampleAll(12, NOW);
        for (int i = 0; i < 3; i++) fleet.view.refresh(NOW);
        for (int i = cell(fleet, OWNER).own(); i < 2; i++) cell(fleet, OWNER).acquire();
        assertThat(cell(fleet, OWNER).exclusion(NOW)).isEqualTo(ReplicaCell.Exclusion.RAMP);
        return fleet;
    }

    /** Its one sample was not fresh. */
    private static Fleet asleep() {
        Fleet fleet = Fleet.fresh(12, NOW);
        fleet.view.apply(Fleet.roster(OWNER, "another", false));
        assertThat(cell(fleet, OWNER).candidate()).isFalse();
        return fleet;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "least-request:1,prefix-cache:2",
                "load-balance:1,prefix-cache:2",
                "least-request:1,session-affinity:2",
                "load-balance:1,session-affinity:2"
            })
    void a_blend_that_weighs_warmth_more_prefers_the_warm_one_although_many_are_less_loaded(String name) {
        Fleet fleet = Fleet.fresh(40, NOW);
        affinity.session(77, OWNER);
        affinity.owner(OWNER, 1_000);
        for (int i = 0; i < 30; i++) cell(fleet, OWNER).acquire();

        assertThat(picks(fleet, name)).containsExactly(OWNER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "least-request:2,prefix-cache:1",
                "load-balance:2,prefix-cache:1",
                "least-request:2,session-affinity:1",
                "load-balance:2,session-affinity:1"
            })
    void a_blend_that_weighs_load_more_passes_it_over_when_it_is_the_most_loaded(String name) {
        Fleet fleet = Fleet.fresh(40, NOW);
        affinity.session(77, OWNER);
        affinity.owner(OWNER, 1_000);
        assertThat(picks(fleet, name)).containsExactly(OWNER);

        cell(fleet, OWNER).acquire();

        assertThat(picks(fleet, name)).doesNotContain(OWNER);
    }

    @Test
    void a_blend_without_a_term_of_warmth_sees_the_eight_least_loaded() {
        Fleet fleet = Fleet.fresh(40, NOW);
        affinity.session(77, OWNER);
        affinity.owner(OWNER, 1_000);
        for (int i = 0; i < 5; i++) cell(fleet, OWNER).acquire();

        assertThat(picks(fleet, "load-balance:1,random:1")).doesNotContain(OWNER);
        assertThat(IntStream.range(0, out.shortlist().size()).map(out.shortlist()::number))
                .hasSize(8)
                .doesNotContain(OWNER);
    }

    @Test
    void a_decision_with_affinities_allocates_nothing() {
        int decisions = 100_000;
        Fleet fleet = Fleet.fresh(64, NOW);
        PickRule[] rules = {rule("load-balance"), rule("least-request:1,prefix-cache:1,session-affinity:1")};
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        decide(fleet, rules, decisions);

        long before = thread.getCurrentThreadAllocatedBytes();
        decide(fleet, rules, decisions);
        double perDecision = (thread.getCurrentThreadAllocatedBytes() - before) / (double) decisions;

        assertThat(perDecision).isLessThanOrEqualTo(0.01);
    }

    private void decide(Fleet fleet, PickRule[] rules, int decisions) {
        for (int i = 0; i < decisions; i++) {
            out.clear();
            affinity.clear();
            affinity.session(1 + i % 100, i % 3 == 0 ? Affinity.NOBODY : 1 + i % 64);
            for (int owner = 0; owner < i % 5; owner++) affinity.owner(1 + (i + owner) % 70, 900 - 200 * owner);
            policy.route(fleet.view.current(), Fleet.MODEL, rules[i & 1], affinity, NOW, random, out);
        }
    }

    private static PrefixChain chain(long... blocks) {
        PrefixChain chain = new PrefixChain();
        chain.start(1);
        for (long block : blocks) chain.addBlock(block);
        return chain;
    }

    /** The number at a place of the ring. */
    private static int place(Fleet fleet, long key, int at) {
        PlacementRing ring = fleet.view.current().candidates(Fleet.MODEL).ring();
        int[] targets = new int[at + 1];
        ring.targets(key, targets);
        return fleet.view
                .current()
                .candidates(Fleet.MODEL)
                .entry(targets[at])
                .replica()
                .number();
    }

    private static Fleet withOwn(int replicas, int own) {
        Fleet fleet = Fleet.fresh(replicas, NOW);
        for (int number = 1; number <= replicas; number++) {
            for (int i = 0; i < own; i++) cell(fleet, number).acquire();
        }
        // The mean is capped by the one before it.
        for (int i = 0; i < 5; i++) fleet.view.refresh(NOW);
        return fleet;
    }

    private Set<Integer> picks(Fleet fleet, String name) {
        Set<Integer> picked = new TreeSet<>();
        for (int i = 0; i < DECISIONS; i++) picked.add(pick(fleet, name));
        return picked;
    }

    private int pick(Fleet fleet, String name) {
        out.clear();
        policy.route(fleet.view.current(), Fleet.MODEL, rule(name), affinity, NOW, random, out);
        return out.replica().replica().number();
    }

    private static PickRule rule(String text) {
        return PickRule.of(RoutingStrategy.parse(text));
    }

    private static ReplicaCell cell(Fleet fleet, int number) {
        return fleet.view.current().byNumber(number).cell();
    }

    private static void shut(Fleet fleet, int number) {
        for (int i = 0; i < 3; i++) cell(fleet, number).failed(1, NOW, new SplittableRandom(number));
    }
}
