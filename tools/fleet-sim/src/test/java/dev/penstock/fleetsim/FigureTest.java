package dev.penstock.fleetsim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FigureTest {
    private static final Figure LESS = Figure.WAITED_PCT;
    private static final Figure MORE = Figure.P99_GAIN_OVER_ROUND_ROBIN_PCT;

    @Test
    void theWorseIsTheLargerOrOfAGainTheSmaller() {
        assertThat(LESS.worse(1, 2)).isEqualTo(2);
        assertThat(MORE.worse(1, 2)).isEqualTo(1);
    }

    @Test
    void whatASceneDoesNotAskCountsForNothing() {
        assertThat(LESS.worse(Double.NaN, 2)).isEqualTo(2);
        assertThat(MORE.worse(1, Double.NaN)).isEqualTo(1);
    }

    @Test
    void limitsAreFromAboveOrOfAGainFromBelow() {
        assertThat(LESS.op()).isEqualTo("<=");
        assertThat(LESS.holds(10, 10)).isTrue();
        assertThat(LESS.holds(11, 10)).isFalse();
        assertThat(MORE.op()).isEqualTo(">=");
        assertThat(MORE.holds(10, 10)).isTrue();
        assertThat(MORE.holds(9, 10)).isFalse();
    }
}
