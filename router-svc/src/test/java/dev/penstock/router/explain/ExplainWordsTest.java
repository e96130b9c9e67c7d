package dev.penstock.router.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.explain.Decision;
import dev.penstock.core.pick.Routing;
import dev.penstock.core.pick.Standing;
import dev.penstock.model.Freshness;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExplainWordsTest {
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
    void more_requests_at_the_first_make_the_second_win() {
        assertThat(sentence(candidate(1, Standing.ROUTABLE, 1, 1_000), candidate(2, Standing.ROUTABLE, 3, 3_000)))
                .isEqualTo("e2 would have won had e1 had 3 more requests in flight.");
        // within a ramp of a tenth one request counts for ten
        assertThat(sentence(candidate(1, Standing.ROUTABLE, 0, 9_000), candidate(2, Standing.ROUTABLE, 10, 10_000)))
                .isEqualTo("e2 would have won had e1 had 1 more request in flight.");
    }

    @Test
    void ties_exclusions_and_loneliness_are_told() {
        Decision.Candidate first = candidate(1, Standing.ROUTABLE, 1, 1_000);
        assertThat(sentence(first)).isEqualTo("There was no second choice.");
        assertThat(sentence(candidate(1, Standing.TRIED, 0, 0))).isEqualTo("There was no replica to choose.");
        assertThat(sentence(first, candidate(2, Standing.ROUTABLE, 1, 1_000))).contains("the draw decided");
        assertThat(sentence(first, candidate(2, Standing.HARD, 0, 0)))
                .isEqualTo("e2 would have won had it not been excluded (hard verdict).");
        assertThat(sentence(first, candidate(2, Standing.SOFT, 2, 2_000))).contains("only with less load");
    }

    private static String sentence(Decision.Candidate... candidates) {
        return SecondChoice.sentence(
                new Decision(
                        1,
                        1,
                        1,
                        0,
                        0,
                        0,
                        Routing.Reason.STRATEGY,
                        false,
                        1,
                        List.of(candidates),
                        Map.of(Standing.ROUTABLE, 1)),
                number -> "e" + number);
    }

    private static Decision.Candidate candidate(int number, Standing standing, int own, long loadMilli) {
        return new Decision.Candidate(number, standing, own, 0, 0, 0, loadMilli, 10, Freshness.FRESH, 0, -1);
    }
}
