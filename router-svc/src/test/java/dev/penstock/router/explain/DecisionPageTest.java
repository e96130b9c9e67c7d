package dev.penstock.router.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.core.explain.Decision;
import dev.penstock.core.explain.Decision.Candidate;
import dev.penstock.core.pick.Standing;
import dev.penstock.core.pick.Warmth;
import dev.penstock.core.view.FleetView;
import dev.penstock.core.view.HotRow;
import dev.penstock.model.RoutingStrategy.Kind;
import dev.penstock.router.fleet.PeerAddresses;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a page says of candidates that differ in more than their load. */
class DecisionPageTest {
    private static final List<String> SAID_IF_UNLIKE = List.of("score", "weight", "credit", "prefixHit", "session");

    private final Vertx vertx = Vertx.vertx();
    private final DecisionPage page = new DecisionPage(
            "router-0",
            new FleetView("router-0", 1),
            List.of(),
            new PeerAddresses("router-0"),
            new PeerDecisions(vertx, "router-0", false),
            System::nanoTime);

    @AfterEach
    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    void candidates_that_differ_in_load_alone_have_nothing_else() {
        JsonNode candidates = candidates(ExplainScene.order(Kind.LOAD_BALANCE, 1, 500), plain(1, 0), plain(2, 1));

        for (JsonNode each : candidates) {
            assertThat(SAID_IF_UNLIKE).noneMatch(each::has);
            assertThat(each.path("load").isNumber()).isTrue();
        }
    }

    @Test
    void weights_and_warmth_are_told_of_those_that_have_them_and_scores_of_all() {
        JsonNode candidates = candidates(
                ExplainScene.order(Kind.LOAD_BALANCE, 8, 500),
                like(1, 2, ExplainScene.warmth(834, Warmth.Tie.PINNED, 4_668), HotRow.EVEN_WEIGHT),
                like(2, 1, ExplainScene.warmth(0, Warmth.Tie.SECOND, 1_500), HotRow.EVEN_WEIGHT),
                like(3, 1, Warmth.NONE, HotRow.EVEN_WEIGHT / 2),
                plain(4, 1));

        JsonNode pinned = candidates.get(0);
        assertThat(pinned.path("score").asDouble()).isEqualTo(-2.668);
        assertThat(pinned.path("credit").asDouble()).isEqualTo(4.668);
        assertThat(pinned.path("prefixHit").asDouble()).isEqualTo(0.834);
        assertThat(pinned.path("session").asText()).isEqualTo("pinned");
        assertThat(pinned.has("weight")).isFalse();
        assertThat(pinned.path("wouldWin").asText()).isEqualTo("won: has the session and 83 % of the prompt");
        assertThat(candidates.get(1).path("session").asText()).isEqualTo("second");
        assertThat(candidates.get(1).has("prefixHit")).isFalse();
        assertThat(candidates.get(2).path("weight").asDouble()).isEqualTo(0.5);
        assertThat(candidates.get(2).path("score").asDouble()).isZero();
        assertThat(candidates.get(2).has("credit")).isFalse();
        assertThat(candidates.get(3).path("score").asDouble()).isEqualTo(1);
        assertThat(candidates.get(3).path("wouldWin").asText())
                .startsWith("not even idle: replica 1 (gone) has the session and 83 % of the prompt (worth 4.7");
    }

    @Test
    void the_score_of_a_weighted_strategy_is_its_sum() {
        JsonNode candidates = candidates(
                ExplainScene.weighted(0, 60, 0, 60, 0),
                like(1, 1, ExplainScene.warmth(500, Warmth.Tie.NONE, 0), HotRow.EVEN_WEIGHT),
                plain(2, 0));

        // Half of the prompt is not there, and all of the scaled load is; and the other way round.
        assertThat(candidates.get(0).path("score").asDouble()).isEqualTo(0.75);
        assertThat(candidates.get(0).path("prefixHit").asDouble()).isEqualTo(0.5);
        assertThat(candidates.get(1).path("score").asDouble()).isEqualTo(0.5);
    }

    private JsonNode candidates(long order, Candidate... candidates) {
        Decision decision = ExplainScene.decision(1, order, List.of(candidates));
        return page.attempt(decision, System.nanoTime()).path("candidates");
    }

    private static Candidate plain(int number, int own) {
        return ExplainScene.candidate(number, Standing.ROUTABLE, own, 0, 0);
    }

    private static Candidate like(int number, int own, int warmth, int weight) {
        return WayToWin.like(plain(number, own), warmth, weight);
    }
}
