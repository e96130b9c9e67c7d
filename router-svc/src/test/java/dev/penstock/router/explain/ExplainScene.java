package dev.penstock.router.explain;

import dev.penstock.core.explain.Decision;
import dev.penstock.core.explain.Decision.Candidate;
import dev.penstock.core.explain.ReDecide;
import dev.penstock.core.pick.Routing;
import dev.penstock.core.pick.Standing;
import dev.penstock.core.pick.Warmth;
import dev.penstock.core.view.HotRow;
import dev.penstock.model.Freshness;
import dev.penstock.model.RoutingStrategy.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Records of decisions, made up and changed. */
final class ExplainScene {
    private static final Standing[] STANDINGS = Standing.values();

    private ExplainScene() {}

    /** The number that a rule of k and epsilon has in a record, see {@link dev.penstock.core.pick.PickOrder}. */
    static long order(Kind kind, int k, int epsilonMilli) {
        return (long) kind.ordinal() << 59 | (long) k << 55 | (long) epsilonMilli << 35;
    }

    static long weighted(int random, int load, int spread) {
        return order(Kind.LEAST_REQUEST, 8, 500) | (long) spread << 14 | (long) load << 7 | random;
    }

    static long weighted(int random, int load, int spread, int prefix, int session) {
        return weighted(random, load, spread) | (long) session << 28 | (long) prefix << 21;
    }

    /** As {@link Warmth} is recorded. */
    static int warmth(int hitMilli, Warmth.Tie tie, int creditMilli) {
        return creditMilli << 12 | tie.ordinal() << 10 | hitMilli;
    }

    static Decision random(Random random) {
        List<Candidate> candidates = new ArrayList<>();
        int count = 1 + random.nextInt(8);
        boolean mixed = random.nextInt(3) == 0;
        boolean whole = random.nextBoolean();
        int mostOwn = 1 + random.nextInt(8);
        boolean unlike = random.nextBoolean();
        boolean weighted = random.nextInt(4) == 0;
        int credit = weighted ? 0 : 500 + random.nextInt(3_000);
        double warm = random.nextInt(3) * 0.2;
        // A session is pinned to one, or has places.
        List<Warmth.Tie> ties = new ArrayList<>(
                random.nextBoolean() ? List.of(Warmth.Tie.PINNED) : List.of(Warmth.Tie.FIRST, Warmth.Tie.SECOND));
        for (int number = 1; number <= count; number++) {
            Candidate plain = candidate(
                    number,
                    mixed ? STANDINGS[random.nextInt(STANDINGS.length)] : Standing.ROUTABLE,
                    random.nextInt(mostOwn),
                    whole ? 1_000 * random.nextInt(3) : random.nextInt(3_000),
                    random.nextInt(3) > 0 ? 0 : random.nextInt(5_000));
            int weight = unlike ? weight(random) : HotRow.EVEN_WEIGHT;
            Candidate cold = WayToWin.like(plain, Warmth.NONE, weight);
            int warmth = random.nextDouble() < warm ? warmth(random, credit, ties, cold) : Warmth.NONE;
            candidates.add(WayToWin.like(plain, warmth, weight));
        }
        long order = weighted
                ? weighted(
                        random.nextInt(40),
                        random.nextInt(30),
                        1 + random.nextInt(20),
                        random.nextInt(30),
                        random.nextInt(30))
                : order(Kind.LOAD_BALANCE, 1 + random.nextInt(8), random.nextBoolean() ? 500 : random.nextInt(1_500));
        return decision(random.nextLong(), order, candidates);
    }

    /** A quarter of the even one to four times that. */
    private static int weight(Random random) {
        return (int) (HotRow.EVEN_WEIGHT * Math.pow(2, 4 * random.nextDouble() - 2));
    }

    /** A session is worth 1.5 times the whole prompt, and where it is pinned what the bias adds to the score. */
    private static int warmth(Random random, int creditMilli, List<Warmth.Tie> ties, Candidate cold) {
        int hit = random.nextInt(3) == 0 ? 0 : random.nextInt(1_001);
        Warmth.Tie tie =
                ties.isEmpty() || random.nextInt(4) == 0 ? Warmth.Tie.NONE : ties.remove(random.nextInt(ties.size()));
        boolean credited = creditMilli > 0 && tie == Warmth.Tie.PINNED;
        long ofBias = HotRow.scoreMilli(cold.biasMilli(), cold.weight()) - HotRow.scoreMilli(0, cold.weight());
        int ofSession =
                switch (tie) {
                    case NONE -> 0;
                    case SECOND -> creditMilli * 3 / 4;
                    case FIRST, PINNED -> creditMilli * 3 / 2;
                };
        return warmth(hit, tie, creditMilli * hit / 1_000 + ofSession + (credited ? (int) ofBias : 0));
    }

    static Candidate candidate(int number, Standing standing, int own, int peersMilli, int biasMilli) {
        return new Candidate(
                number,
                standing,
                own,
                peersMilli,
                biasMilli,
                biasMilli == 0 ? 0 : 1,
                HotRow.EVEN_WEIGHT,
                Warmth.NONE,
                10,
                Freshness.FRESH,
                0,
                -1);
    }

    /** As it would have been recorded. */
    static Decision decision(long draw, long order, List<Candidate> candidates) {
        Decision undecided = new Decision(
                1, 1, 1, 0, draw, order, Routing.Reason.STRATEGY, false, 0, candidates, Map.of(Standing.ROUTABLE, 1));
        Candidate picked = ReDecide.pick(undecided);
        Routing.Reason reason = picked == null
                ? Routing.Reason.NO_REPLICA
                : picked.standing().sound() ? Routing.Reason.STRATEGY : Routing.Reason.PANIC;
        return new Decision(
                1,
                1,
                1,
                0,
                draw,
                order,
                reason,
                false,
                picked == null ? 0 : picked.number(),
                candidates,
                Map.of(Standing.ROUTABLE, 1));
    }

    static Decision drawn(Decision decision, long draw) {
        return decision(draw, decision.order(), decision.candidates());
    }

    /** With so many requests fewer at the candidate, own ones first, as far as it has them. */
    static Decision lighter(Decision decision, Candidate candidate, boolean withoutBias, long fewer) {
        Candidate now = of(decision, candidate.number());
        int own = (int) Math.max(0, now.own() - fewer);
        int peersMilli = (int) Math.max(0, now.peersMilli() - 1_000 * (fewer - (now.own() - own)));
        Candidate then = candidate(now.number(), now.standing(), own, peersMilli, withoutBias ? 0 : now.biasMilli());
        return with(decision, WayToWin.like(then, now.warmth(), now.weight()));
    }

    /** With nothing there at all but the bias that its own warmth makes up for, and so much warmth and weight. */
    static Decision idle(Decision decision, Candidate candidate, int warmth, int weight) {
        Candidate now = of(decision, candidate.number());
        int bias = warmth == now.warmth() ? WayToWin.biasThatStays(now) : 0;
        return with(decision, WayToWin.like(candidate(now.number(), now.standing(), 0, 0, bias), warmth, weight));
    }

    static Decision heavier(Decision decision, int number, long more) {
        return with(decision, WayToWin.heavier(of(decision, number), (int) more));
    }

    private static Candidate of(Decision decision, int number) {
        return decision.candidates().stream()
                .filter(each -> each.number() == number)
                .findFirst()
                .orElseThrow();
    }

    static Decision with(Decision decision, Candidate changed) {
        return WayToWin.with(decision, changed);
    }
}
