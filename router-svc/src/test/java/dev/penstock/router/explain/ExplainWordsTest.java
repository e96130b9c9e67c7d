package dev.penstock.router.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.explain.Decision;
import dev.penstock.core.explain.Decision.Candidate;
import dev.penstock.core.pick.Standing;
import dev.penstock.core.pick.Warmth;
import dev.penstock.core.view.HotRow;
import dev.penstock.model.RoutingStrategy.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@link WayToWinTest} shows to be true, in words. */
class ExplainWordsTest {
    private static final long LEAST = ExplainScene.order(Kind.LEAST_REQUEST, 1, 0);
    private static final long NEAR = ExplainScene.order(Kind.LOAD_BALANCE, 8, 500);
    private static final Candidate IDLE = ExplainScene.candidate(1, Standing.ROUTABLE, 0, 0, 0);

    @Test
    void ids_name_their_router_and_perhaps_an_attempt() {
        assertThat(RequestName.parse("router-0-mb2k4v0q1c8"))
                .isEqualTo(new RequestName("router-0", Long.parseLong("mb2k4v0q1c8", 36)));
        assertThat(RequestName.parse("router-0-mb2k4v0q1c8-a12")).isEqualTo(RequestName.parse("router-0-mb2k4v0q1c8"));
        assertThat(RequestName.parse("r-abcdefghijk").number()).isEqualTo(Long.parseLong("abcdefghijk", 36));
        assertThat(RequestName.parse("nonsense")).isNull();
        assertThat(RequestName.parse("router-0-?")).isNull();
        assertThat(RequestName.parse("")).isNull();
    }

    @Test
    void the_picked_one_says_what_it_won() {
        assertThat(of(LEAST, 1, IDLE)).isEqualTo("won: the only one looked at");
        assertThat(of(LEAST, 1, IDLE, ExplainScene.candidate(2, Standing.HARD, 0, 0, 0)))
                .isEqualTo("won: no other stood as well");
        assertThat(of(LEAST, 1, IDLE, routable(2, 3, 0))).isEqualTo("won: the least loaded");
        assertThat(of(ExplainScene.weighted(1, 126, 0), 1, IDLE, routable(2, 3, 0)))
                .isEqualTo("won: the least score, mostly by least-request");
    }

    @Test
    void near_ties_need_another_draw() {
        Candidate[] three = {IDLE, ExplainScene.candidate(2, Standing.ROUTABLE, 0, 400, 0), routable(3, 0, 0)};

        assertThat(List.of(of(NEAR, 1, three), of(NEAR, 2, three), of(NEAR, 3, three)))
                .containsExactlyInAnyOrder(
                        "won: drawn of 3 near-ties",
                        "with another draw of the 3 near-ties",
                        "with another draw of the 3 near-ties");
    }

    @Test
    void more_load_needs_fewer_requests_or_more_at_the_winner() {
        assertThat(of(LEAST, 2, routable(1, 1, 0), routable(2, 3, 0)))
                .isEqualTo("with 2 fewer requests (3 for sure), or 2 more at e1");
        assertThat(of(LEAST, 2, IDLE, routable(2, 1, 0)))
                .isEqualTo("with 1 fewer request and a lucky draw, or 1 more at e1");
        assertThat(of(LEAST, 3, routable(1, 1, 0), routable(2, 2, 0), routable(3, 4, 0)))
                .isEqualTo("with 3 fewer requests (4 for sure)");
    }

    @Test
    void a_bias_that_held_it_back_is_named() {
        assertThat(of(LEAST, 2, routable(1, 2, 0), routable(2, 0, 3_500)))
                .isEqualTo("without its bias for slow start, or 2 more at e1");
        assertThat(of(LEAST, 2, IDLE, routable(2, 0, 3_500)))
                .isEqualTo("without its bias for slow start, with a lucky draw, or 4 more at e1");
        assertThat(of(LEAST, 2, IDLE, routable(2, 2, 1_000)))
                .isEqualTo("without its bias for slow start, with 2 fewer requests and a lucky draw, or 3 more at e1");
    }

    @Test
    void the_excluded_would_first_have_to_be_let_in() {
        Candidate loaded = routable(1, 2, 0);

        assertThat(of(LEAST, 2, loaded, ExplainScene.candidate(2, Standing.HARD, 0, 0, 0)))
                .isEqualTo("without its hard verdict");
        assertThat(of(LEAST, 2, loaded, ExplainScene.candidate(2, Standing.QUARANTINED, 4, 0, 0)))
                .isEqualTo("without this router's quarantine, with 2 fewer requests (3 for sure), or 2 more at e1");
        assertThat(of(ExplainScene.weighted(1, 126, 0), 2, loaded, ExplainScene.candidate(2, Standing.SOFT, 4, 0, 0)))
                .startsWith("without its soft verdict, with ")
                .endsWith(" less score, mostly of least-request");
        Candidate tried = ExplainScene.candidate(1, Standing.TRIED, 0, 0, 0);
        assertThat(of(LEAST, 1, tried)).isEqualTo("had it not been tried");
    }

    @Test
    void the_picked_one_says_what_it_had_that_others_had_not() {
        Candidate pinned = warm(1, 2, 0, Warmth.Tie.PINNED, 3_000);
        assertThat(of(LEAST, 1, pinned, routable(2, 0, 0))).isEqualTo("won: has the session");
        assertThat(of(LEAST, 1, warm(1, 1, 834, Warmth.Tie.NONE, 1_668), routable(2, 0, 0)))
                .isEqualTo("won: has 83 % of the prompt");
        assertThat(of(NEAR, 1, warm(1, 1, 400, Warmth.Tie.FIRST, 3_800), routable(2, 0, 0)))
                .isEqualTo("won: is the session's first place and has 40 % of the prompt");
        assertThat(of(NEAR, 1, warm(1, 1, 400, Warmth.Tie.PINNED, 3_800), routable(2, 0, 0)))
                .isEqualTo("won: has the session and 40 % of the prompt");
        assertThat(of(LEAST, 1, warm(1, 1, 0, Warmth.Tie.SECOND, 1_500), routable(2, 0, 0)))
                .isEqualTo("won: is the session's second place");
        // It would have won without.
        assertThat(of(LEAST, 1, warm(1, 1, 0, Warmth.Tie.PINNED, 3_000), routable(2, 5, 0)))
                .isEqualTo("won: the least loaded");
        assertThat(of(LEAST, 1, heavy(1, 3, 256), routable(2, 2, 0))).isEqualTo("won: the least score");
    }

    @Test
    void who_could_not_win_idle_is_told_what_the_winner_has() {
        Candidate pinned = warm(1, 1, 0, Warmth.Tie.PINNED, 3_000);
        Candidate warm = warm(1, 0, 834, Warmth.Tie.NONE, 1_668);
        assertThat(of(NEAR, 2, pinned, routable(2, 2, 0)))
                .isEqualTo("not even idle: e1 has the session (worth 3.0 requests), or 4 more at e1");
        assertThat(of(NEAR, 2, warm, routable(2, 0, 0)))
                .isEqualTo("not even idle: e1 has 83 % of the prompt (worth 1.7 requests), or 2 more at e1");
        assertThat(of(LEAST, 2, IDLE, heavy(2, 0, 2_150)))
                .isEqualTo("not even idle: a request weighs 2.10 times as much as at e1, or 2 more at e1");
        assertThat(of(LEAST, 2, warm, heavy(2, 0, 8_192)))
                .isEqualTo("not even idle: e1 has 83 % of the prompt (worth 1.7 requests), and a request weighs 8.00"
                        + " times as much as at e1, or 9 more at e1");
        assertThat(of(LEAST, 2, pinned, ExplainScene.candidate(2, Standing.HARD, 0, 0, 0)))
                .isEqualTo("without its hard verdict, not even idle: e1 has the session (worth 3.0 requests), or 2 more"
                        + " at e1");
    }

    @Test
    void requests_are_those_of_the_replica_they_are_at() {
        // Half as many at one that weighs twice as much.
        assertThat(of(LEAST, 2, routable(1, 3, 0), heavy(2, 5, 2_048)))
                .isEqualTo("with 4 fewer requests (5 for sure), or 8 more at e1");
        assertThat(of(LEAST, 2, heavy(1, 3, 2_048), routable(2, 11, 0)))
                .isEqualTo("with 4 fewer requests (5 for sure), or 2 more at e1");
    }

    private static String of(long order, int number, Candidate... candidates) {
        Decision decision = ExplainScene.decision(1, order, List.of(candidates));
        Candidate asked = candidates[number - 1];
        return Words.of(WayToWin.of(decision, asked), asked, "e" + decision.picked());
    }

    private static Candidate routable(int number, int own, int biasMilli) {
        return ExplainScene.candidate(number, Standing.ROUTABLE, own, 0, biasMilli);
    }

    private static Candidate heavy(int number, int own, int weight) {
        return WayToWin.like(routable(number, own, 0), Warmth.NONE, weight);
    }

    private static Candidate warm(int number, int own, int hitMilli, Warmth.Tie tie, int creditMilli) {
        int warmth = ExplainScene.warmth(hitMilli, tie, creditMilli);
        return WayToWin.like(routable(number, own, 0), warmth, HotRow.EVEN_WEIGHT);
    }
}
