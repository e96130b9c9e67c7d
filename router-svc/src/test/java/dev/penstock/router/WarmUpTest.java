package dev.penstock.router;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WarmUpTest {
    @Test
    void every_round_takes_the_whole_path_of_a_decision() {
        assertThat(WarmUp.decideManyTimes()).isEqualTo(20_000);
    }
}
