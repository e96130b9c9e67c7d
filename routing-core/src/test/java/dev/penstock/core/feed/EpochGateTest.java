package dev.penstock.core.feed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EpochGateTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void a_displaced_owner_is_not_heard_again() {
        EpochGate gate = new EpochGate();

        assertThat(gate.admit(5, 0)).isTrue();
        assertThat(gate.admit(9, SECOND)).isTrue();
        assertThat(gate.admit(5, 2 * SECOND)).isFalse();
        assertThat(gate.admit(9, 3 * SECOND)).isTrue();
    }

    @Test
    void epochs_that_start_over_are_believed_once_the_old_ones_are_silent() {
        EpochGate gate = new EpochGate();
        gate.admit(900, 0);

        assertThat(gate.admit(0, 30 * SECOND)).isFalse();
        assertThat(gate.admit(0, 31 * SECOND)).isTrue();
        assertThat(gate.admit(1, 32 * SECOND)).isTrue();
    }
}
