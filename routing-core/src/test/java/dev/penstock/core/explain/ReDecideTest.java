package dev.penstock.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.Fleet;
import dev.penstock.core.pick.Affinity;
import dev.penstock.core.pick.PickOrder;
import dev.penstock.core.pick.PickRule;
import dev.penstock.core.pick.Routing;
import dev.penstock.core.pick.RoutingPolicy;
import dev.penstock.core.pick.Standing;
import dev.penstock.core.pick.Warmth;
import dev.penstock.core.view.ReplicaCell;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.model.Header;
import dev.penstock.model.HealthRecord;
import dev.penstock.model.RoutingStrategy;
import dev.penstock.model.Sample;
import dev.penstock.model.Shards;
import dev.penstock.model.Verdict;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Random fleets, random decisions: each is made again from its record. */
class ReDecideTest {
    private static final int DECISIONS = 100_000;
    private static final int PER_FLEET = 200;
    private static final long MS = 1_000_000;
    private static final List<PickRule> RULES = Stream.of(
                    "load-balance",
                    "random",
                    "power-of-two",
                    "least-request",
                    "least-request-top-k",
                    "least-request:2,random:1",
                    "load-balance:1,least-request-top-k:1000,random:1",
                    "prefix-cache",
                    "session-affinity",
                    "load-balance:2,prefix-cache:1,session-affinity:1",
                    "least-request:1,prefix-cache:3,random:1")
            .map(text -> PickRule.of(RoutingStrategy.parse(text)))
            .toList();

    private final Random random = new Random(20);
    private final RoutingPolicy policy = new RoutingPolicy();
    private final DecisionRing ring = new DecisionRing(16);
    private final Routing out = new Routing();
    private final Affinity affinity = new Affinity();
    private final Set<Standing> picked = EnumSet.noneOf(Standing.class);
    private final Set<Routing.Reason> reasons = EnumSet.noneOf(Routing.Reason.class);
    private long now = 1_000_000_000_000L;
    private int tied;
    private int wide;
    private int notFirst;
    private int weighted;
    private int warm;
    private int wonByWarmth;
    private int unlike;

    @Test
    void every_decision_is_made_again_from_its_record() {
        for (int i = 0; i < DECISIONS / PER_FLEET; i++) decideMuchIn(1 + random.nextInt(40), i);

        // The scenes were what they should be.
        assertThat(picked).contains(Standing.ROUTABLE, Standing.SOFT, Standing.QUARANTINED, Standing.HARD);
        assertThat(reasons).contains(Routing.Reason.STRATEGY, Routing.Reason.PANIC, Routing.Reason.NO_REPLICA);
        assertThat(tied).isGreaterThan(1_000);
        assertThat(wide).isGreaterThan(1_000);
        assertThat(notFirst).isGreaterThan(1_000);
        assertThat(weighted).isGreaterThan(1_000);
        assertThat(warm).isGreaterThan(1_000);
        assertThat(wonByWarmth).isGreaterThan(1_000);
        assertThat(unlike).isGreaterThan(1_000);
    }

    private void decideMuchIn(int replicas, int scene) {
        Fleet fleet = Fleet.fresh(replicas, now);
        double sick = scene % 5 == 0 ? 1 : scene % 5 * 0.15;
        for (int number = 1; number <= replicas; number++) {
            if (random.nextDouble() < sick) makeSick(fleet, number, scene + 1);
        }
        if (scene % 2 == 0) tellUnlike(fleet, replicas);
        out.clear();
        for (int i = 0; i < PER_FLEET; i++) {
            now += random.nextInt(20) * MS;
            if (random.nextInt(10) == 0) fleet.view.refresh(now);
            change(fleet, replicas);
            if (random.nextInt(3) > 0) out.clear();
            PickRule rule = RULES.get(random.nextInt(RULES.size()));
            long request = (long) scene * PER_FLEET + i;

            prefer(replicas);
            policy.route(fleet.view.current(), Fleet.MODEL, rule, affinity, now, random, out);
            ring.record(request, fleet.view.current().version(), now, out);

            check(request, ring.of(request), replicas);
        }
    }

    /** Capacities from an eighth to eight times the middle one, KV caches from empty to full. */
    private void tellUnlike(Fleet fleet, int replicas) {
        for (int number = 1; number <= replicas; number++) {
            int capacityMilli = (int) (1_000 * Math.pow(2, 6 * random.nextDouble() - 3));
            Sample sample = new Sample(number, 1, 0, random.nextInt(1_000_001), 2, capacityMilli, 0, 50, 0);
            fleet.view.apply(fleet.frame(Shards.of(number), false, new BitSet(), List.of(sample), now), now);
        }
        fleet.view.refresh(now);
    }

    /** Some have a session, some a prompt that up to four replicas know, one of which may be gone. */
    private void prefer(int replicas) {
        affinity.clear();
        if (random.nextBoolean()) {
            int pinned = random.nextBoolean() ? Affinity.NOBODY : 1 + random.nextInt(replicas + 1);
            affinity.session(1 + random.nextInt(50), pinned);
        }
        for (int owners = random.nextInt(5); owners > 0; owners--) {
            affinity.owner(1 + random.nextInt(replicas + 1), random.nextInt(1_200));
        }
    }

    private void makeSick(Fleet fleet, int number, long epoch) {
        Verdict verdict =
                switch (random.nextInt(5)) {
                    case 0 -> new Verdict.Ejected(Verdict.Severity.SOFT, "cut streams", 1, 5_000_000);
                    case 1 -> new Verdict.Ejected(Verdict.Severity.HARD, "refused", 1, 5_000_000);
                    case 2 -> new Verdict.HalfOpen("refused", 1, "router-0", 0);
                    case 3 -> new Verdict.Ramp(random.nextInt(15_000_000), 15_000_000);
                    default -> Verdict.HEALTHY;
                };
        ReplicaCell cell = cell(fleet, number);
        if (verdict == Verdict.HEALTHY) for (int i = 0; i < 3; i++) cell.failed(1, now, random);
        fleet.view.apply(
                new HealthRecord(
                        new Header("health-0", 3, 1, epoch, 0),
                        number,
                        "u",
                        verdict,
                        10_000_000,
                        HealthRecord.NO_PASS,
                        0),
                now);
    }

    private void change(Fleet fleet, int replicas) {
        ReplicaCell cell = cell(fleet, 1 + random.nextInt(replicas));
        switch (random.nextInt(4)) {
            case 0, 1 -> cell.acquire();
            case 2 -> {
                if (cell.own() > 0) cell.release();
            }
            default -> fleet.peer("router-1", 1 + random.nextInt(replicas), random.nextInt(4), now);
        }
    }

    private void check(long request, List<Decision> found, int replicas) {
        assertThat(found).hasSize(1);
        Decision decision = found.getFirst();
        ReplicaEntry chosen = out.replica();
        reasons.add(decision.reason());
        assertThat(decision.request()).isEqualTo(request);
        assertThat(decision.routed()).isEqualTo(chosen != null);
        if (chosen != null) {
            assertThat(decision.counts().values().stream().mapToInt(i -> i).sum())
                    .isEqualTo(replicas);
        }
        assertThat(ReDecide.agrees(shuffled(decision))).as("%s", decision).isTrue();
        List<Decision.Candidate> ranking = ReDecide.ranking(decision);
        if (chosen == null) {
            assertThat(ranking).isEmpty();
            return;
        }
        Decision.Candidate first = ranking.getFirst();
        Decision.Candidate again = ReDecide.pick(decision);
        assertThat(again).isNotNull();
        assertThat(again.number()).isEqualTo(chosen.replica().number());
        picked.add(again.standing());
        if (again.number() != first.number()) notFirst++;
        if (PickOrder.weighted(decision.order())) weighted++;
        if (decision.candidates().stream().anyMatch(each -> each.warmth() != Warmth.NONE)) warm++;
        if (again.creditMilli() > 0) wonByWarmth++;
        if (again.weight() != first.weight()) unlike++;
        if (ranking.size() > 1 && ranking.get(1).scoreMilli() == first.scoreMilli()) tied++;
        if (decision.counts().get(Standing.ROUTABLE) > 8) wide++;
    }

    private Decision shuffled(Decision decision) {
        List<Decision.Candidate> candidates = new ArrayList<>(decision.candidates());
        Collections.shuffle(candidates, random);
        return decision.with(candidates);
    }

    private static ReplicaCell cell(Fleet fleet, int number) {
        return fleet.view.current().byNumber(number).cell();
    }
}
