package dev.penstock.router.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.explain.Decision;
import dev.penstock.core.explain.Decision.Candidate;
import dev.penstock.core.explain.ReDecide;
import dev.penstock.core.pick.Standing;
import dev.penstock.core.pick.Warmth;
import dev.penstock.model.RoutingStrategy.Kind;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Random decisions: what is said of each candidate is done to the record, which is then decided again. */
class WayToWinTest {
    private static final int DECISIONS = 4_000;
    private static final int DRAWS = 150;
    /** One that is drawn of eight, where the draw puts it or its like before seven warm ones, is picked by 1 in 64. */
    private static final int MANY_DRAWS = 3_000;

    private final Random random = new Random(5);
    private final Map<String, Integer> seen = new HashMap<>();

    @Test
    void the_change_that_is_told_makes_the_candidate_win_and_no_smaller_one_does() {
        for (int i = 0; i < DECISIONS; i++) {
            Decision decision = ExplainScene.random(random);
            for (Candidate each : decision.candidates()) check(decision, each);
        }

        assertThat(seen)
                .containsOnlyKeys(
                        "won, drawn",
                        "won, least loaded",
                        "won, least score",
                        "won, warmth",
                        "won by score",
                        "draw",
                        "freed",
                        "freed, by score",
                        "bias",
                        "fewer",
                        "sure",
                        "more at the winner",
                        "not even idle, more at the winner",
                        "not even idle, warmth",
                        "not even idle, weight",
                        "not even idle, warmth and weight",
                        "outscored",
                        "outscored by prefix-cache",
                        "outscored by session-affinity")
                .allSatisfy((what, times) -> assertThat(times).as(what).isGreaterThan(DECISIONS / 200));
    }

    private void check(Decision decision, Candidate candidate) {
        WayToWin way = WayToWin.of(decision, candidate);
        String about = candidate + " of " + decision + ": " + way;
        switch (way) {
            case WayToWin.Won won -> {
                assertThat(ReDecide.pick(decision)).as(about).isEqualTo(candidate);
                if (won.by() != null) count("won by score");
                else if (won.nearTies() > 1) count("won, drawn");
                else check(decision, candidate, won.what(), about);
            }
            case WayToWin.AnotherDraw draw -> {
                assertThat(ReDecide.pick(decision)).as(about).isNotEqualTo(candidate);
                someDraw(decision, candidate, about);
                count("draw");
            }
            case WayToWin.Changed changed -> check(decision, candidate, changed, about);
            case WayToWin.NotEvenIdle idle -> check(decision, candidate, idle, about);
            case WayToWin.Outscored outscored -> {
                Decision freed = freed(decision, candidate, outscored.freedFrom());
                Contest contest = new Contest(freed);
                Candidate winner = ReDecide.pick(freed);
                assertThat(outscored.behind()).as(about).isPositive();
                assertThat(contest.score(candidate) - outscored.behind())
                        .as(about)
                        .isLessThanOrEqualTo(contest.score(winner) + 1e-9);
                Map<Kind, Double> behind = new EnumMap<>(Kind.class);
                for (Kind term : Contest.TERMS)
                    behind.put(term, contest.part(candidate, term) - contest.part(winner, term));
                assertThat(behind.get(outscored.by()))
                        .as(about)
                        .isEqualTo(behind.values().stream()
                                .mapToDouble(each -> each)
                                .max()
                                .orElseThrow());
                count("outscored");
                if (outscored.by() == Kind.PREFIX_CACHE || outscored.by() == Kind.SESSION_AFFINITY)
                    count("outscored by " + outscored.by().key());
            }
        }
    }

    private void check(Decision decision, Candidate winner, WayToWin.Why why, String about) {
        everyDraw(decision, winner, about);
        count("won, " + why.name().toLowerCase(Locale.ROOT).replace('_', ' '));
        switch (why) {
            case WARMTH -> {
                Candidate cold = WayToWin.like(winner, Warmth.NONE, winner.weight());
                notEveryDraw(ExplainScene.with(decision, cold), winner, about);
            }
            case LEAST_LOADED ->
                assertThat(new Contest(decision).others(winner))
                        .as(about)
                        .noneMatch(each -> each.loadMilli() < winner.loadMilli());
            case LEAST_SCORE ->
                assertThat(new Contest(decision).others(winner))
                        .as(about)
                        .anyMatch(each -> each.loadMilli() < winner.loadMilli())
                        .noneMatch(each -> each.scoreMilli() < winner.scoreMilli());
        }
    }

    private void check(Decision decision, Candidate candidate, WayToWin.NotEvenIdle way, String about) {
        Decision freed = freed(decision, candidate, way.freedFrom());
        Candidate winner = way.winner();
        assertThat(winner.number()).isEqualTo(decision.picked());
        noDraw(ExplainScene.idle(freed, candidate, candidate.warmth(), candidate.weight()), candidate, about);
        int warmth = way.warmth() ? winner.warmth() : candidate.warmth();
        int weight = way.weight() ? winner.weight() : candidate.weight();
        someDraw(ExplainScene.idle(freed, candidate, warmth, weight), candidate, about);
        if (way.warmth()) {
            assertThat(winner.creditMilli()).as(about).isGreaterThan(candidate.creditMilli());
            assertThat(Words.of(way, candidate, "it")).containsAnyOf("place", "it has the session", "of the prompt");
        }
        if (way.weight()) assertThat(winner.weight()).as(about).isLessThan(candidate.weight());
        count("not even idle, "
                + (way.warmth() && way.weight() ? "warmth and weight" : way.warmth() ? "warmth" : "weight"));
        if (way.moreAtWinner() > 0) {
            count("not even idle, more at the winner");
            checkMore(decision, freed, candidate, way.moreAtWinner(), about);
        }
    }

    private void checkMore(Decision decision, Decision freed, Candidate candidate, int more, String about) {
        LongFunction<Decision> with = by -> ExplainScene.heavier(freed, decision.picked(), by);
        someDraw(with.apply(more), candidate, about);
        noDraw(with.apply(more - 1), candidate, about);
    }

    private void check(Decision decision, Candidate candidate, WayToWin.Changed changed, String about) {
        Decision freed = freed(decision, candidate, changed.freedFrom());
        if (changed.freedFrom() != null) {
            count("freed");
            assertThat(candidate.standing()).isEqualTo(changed.freedFrom());
        }
        if (new Contest(freed).weighted()) {
            count("freed, by score");
            assertThat(numberOf(ReDecide.pick(freed))).as(about).isEqualTo(candidate.number());
            return;
        }
        LongFunction<Decision> with = fewer -> ExplainScene.lighter(freed, candidate, changed.withoutBias(), fewer);
        Decision tied = with.apply(changed.fewer());
        someDraw(tied, candidate, about);
        if (changed.withoutBias()) {
            count("bias");
            assertThat(WayToWin.biasThatStays(candidate)).as(about).isZero();
            noDraw(freed, candidate, about);
        }
        if (changed.fewer() > 0) {
            count("fewer");
            noDraw(with.apply(changed.fewer() - 1), candidate, about);
        }
        if (changed.sure() == 0) {
            assertThat(numberOf(ReDecide.pick(tied))).as(about).isEqualTo(candidate.number());
        } else if (changed.sure() > 0) {
            count("sure");
            everyDraw(with.apply(changed.sure()), candidate, about);
            // Others may share its load, so that it is one of many draws.
            if (changed.sure() > changed.fewer()) notEveryDraw(with.apply(changed.sure() - 1), candidate, about);
        }
        if (changed.moreAtWinner() > 0) {
            count("more at the winner");
            checkMore(decision, freed, candidate, changed.moreAtWinner(), about);
        }
    }

    private static Decision freed(Decision decision, Candidate candidate, Standing from) {
        return from == null ? decision : WayToWin.freed(decision, candidate);
    }

    private void someDraw(Decision decision, Candidate candidate, String about) {
        assertThat(draws(MANY_DRAWS).anyMatch(draw -> picks(decision, draw, candidate)))
                .as(about)
                .isTrue();
    }

    private void noDraw(Decision decision, Candidate candidate, String about) {
        assertThat(draws(DRAWS).noneMatch(draw -> picks(decision, draw, candidate)))
                .as(about)
                .isTrue();
    }

    private void everyDraw(Decision decision, Candidate candidate, String about) {
        assertThat(draws(DRAWS).allMatch(draw -> picks(decision, draw, candidate)))
                .as(about)
                .isTrue();
    }

    private void notEveryDraw(Decision decision, Candidate candidate, String about) {
        assertThat(draws(MANY_DRAWS).allMatch(draw -> picks(decision, draw, candidate)))
                .as(about)
                .isFalse();
    }

    private LongStream draws(int count) {
        return IntStream.range(0, count).mapToLong(i -> random.nextLong());
    }

    private static boolean picks(Decision decision, long draw, Candidate candidate) {
        return numberOf(ReDecide.pick(ExplainScene.drawn(decision, draw))) == candidate.number();
    }

    private static int numberOf(Candidate candidate) {
        return candidate == null ? 0 : candidate.number();
    }

    private void count(String what) {
        seen.merge(what, 1, Integer::sum);
    }
}
