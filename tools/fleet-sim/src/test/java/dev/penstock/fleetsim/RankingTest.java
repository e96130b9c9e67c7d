package dev.penstock.fleetsim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.view.FleetView;
import dev.penstock.core.view.RosterImage;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class RankingTest {
    private static final int PICKS = 4_000;

    private final RosterImage image = image();

    @Test
    void theLowestIsPickedAndTiesAreDrawnEvenly() {
        int[] picks = picks(1, least -> 0, 5, 2, 2, 9);

        assertThat(picks[0] + picks[3]).isZero();
        assertThat(picks[1]).isBetween(1_850, 2_150);
    }

    @Test
    void ofTheKLowestOnlyThoseNearTheLowest() {
        int[] picks = picks(3, least -> 2, 5, 2, 4, 3);

        assertThat(picks[0]).isZero();
        assertThat(picks[1]).isBetween(1_200, 1_460);
        assertThat(picks[2]).isBetween(1_200, 1_460);
        assertThat(picks[3]).isBetween(1_200, 1_460);
        assertThat(picks(3, least -> 1, 5, 2, 4, 3)[2]).isZero();
    }

    private int[] picks(int k, DoubleUnaryOperator within, int... scores) {
        var ranking = new Ranking(
                new SplittableRandom(1),
                k,
                within,
                (entry, now) -> scores[entry.replica().number()]);
        int[] picks = new int[scores.length];
        for (int i = 0; i < PICKS; i++) picks[ranking.pick(image, 0).replica().number()]++;
        return picks;
    }

    private static RosterImage image() {
        var view = new FleetView("router-0", 1);
        var replicas = new Replicas();
        var model = new EngineModel.Slots(1);
        for (int number = 0; number < 4; number++) {
            replicas.add(model.create(new EventQueue(), ColdStart.NONE, request -> {}), 0);
        }
        replicas.roster(0).forEach(record -> view.apply(record, 0));
        return view.current();
    }
}
