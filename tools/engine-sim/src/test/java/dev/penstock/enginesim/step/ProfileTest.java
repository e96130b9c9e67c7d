package dev.penstock.enginesim.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ProfileTest {
    @Test
    void an_unknown_name_is_answered_with_the_known_ones() {
        assertThatThrownBy(() -> Profile.named("9b-tpu"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("unknown profile '9b-tpu', expected one of: fast, slow, 8b-h100, 8b-a100, 70b-h100,"
                        + " 70b-h100-tp8, embedding");
    }

    @Test
    void h100_has_the_limits_of_its_engine() {
        Profile profile = Profile.named("8b-h100");

        assertThat(profile.maxNumSeqs()).isEqualTo(1024);
        assertThat(profile.maxNumBatchedTokens()).isEqualTo(8192);
        assertThat(profile.kvBlocks() * Profile.BLOCK_TOKENS).isEqualTo(450_000);
    }

    @Test
    void a_full_step_of_the_fast_profile_takes_about_two_milliseconds() {
        assertThat(Profile.FAST.cost().millis(1, 300, 0)).isBetween(1.8, 2.0);
        assertThat(Profile.FAST.cost().millis(256, 76_800, 0)).isBetween(1.9, 2.2);
    }

    @Test
    void a_context_longer_than_the_kv_cache_is_refused() {
        assertThatThrownBy(() -> new Profile(
                        "p", Profile.FAST.cost(), 8, 2048, 10, 161, new RequestOverhead(0, 0, 0), Jitter.NONE))
                .hasMessageContaining("expected at least 11 KV blocks")
                .hasMessageContaining("got 10");
    }
}
