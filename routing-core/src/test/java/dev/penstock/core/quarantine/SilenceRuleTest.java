package dev.penstock.core.quarantine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SilenceRuleTest {
    private static final long MS = 1_000_000;

    @Test
    void open_streams_without_a_byte_for_one_and_a_half_seconds_are_silence() {
        assertThat(SilenceRule.silent(1, 0, 0, false, 0, 1_499 * MS)).isFalse();
        assertThat(SilenceRule.silent(1, 0, 0, false, 0, 1_500 * MS)).isTrue();
        assertThat(SilenceRule.silent(0, 0, 0, false, 0, 9_000 * MS)).isFalse();
    }

    @Test
    void long_prompts_are_given_their_time() {
        // 3 x 2,000 tokens at 2,000 tokens a second
        assertThat(SilenceRule.silent(1, 2_000, 0, false, 0, 2_999 * MS)).isFalse();
        assertThat(SilenceRule.silent(1, 2_000, 0, false, 0, 3_000 * MS)).isTrue();
    }

    @Test
    void patience_ends_however_much_is_outstanding() {
        assertThat(SilenceRule.silent(900, 4_000_000, 0, false, 0, 29_999 * MS)).isFalse();
        assertThat(SilenceRule.silent(900, 4_000_000, 0, false, 0, 30_000 * MS)).isTrue();
    }

    @Test
    void a_heartbeat_that_moves_speaks_for_the_replica() {
        assertThat(SilenceRule.silent(1, 0, 0, true, 1_000 * MS, 2_000 * MS)).isFalse();
        assertThat(SilenceRule.silent(1, 0, 0, true, 1_000 * MS, 2_500 * MS)).isTrue();
    }
}
