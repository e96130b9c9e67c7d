package dev.penstock.enginesim.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StepCostTest {
    private static final StepCost LLAMA_8B_A100 = new StepCost(0, 9.8, 0.0665, 9.4e-5, 3.5e-6, 0, 0);
    private static final StepCost LLAMA_7B_H100 = new StepCost(0, 5.6, 0.0203, 5.2e-5, 1.5e-6, 0, 0);

    /** The formula's column of the fit check, rounded there to three digits. */
    @ParameterizedTest
    @CsvSource({"1,9.8", "64,10.7", "128,13.0", "256,19.6", "512,35.4", "1024,69", "8192,545"})
    void linear_layers_of_8b_on_a100_fit_the_published_profile(int tokens, double millis) {
        assertThat(LLAMA_8B_A100.linearMillis(tokens)).isCloseTo(millis, within(millis * 0.006));
    }

    @ParameterizedTest
    @CsvSource({"128,6.2", "512,11.8", "1024,21.5", "4096,83"})
    void linear_layers_of_7b_on_h100_fit_the_published_profile(int tokens, double millis) {
        assertThat(LLAMA_7B_H100.linearMillis(tokens)).isCloseTo(millis, within(millis * 0.006));
    }

    @Test
    void all_terms_add_up() {
        StepCost cost = new StepCost(2, 3, 0.04, 1e-4, 1e-6, 5, 0.02);

        double millis = cost.millis(100, 20_000, StepCost.attention(90, 500));

        // 2 + sqrt(3² + 4²) + 2 + 5 + 2 + 1e-6 · 90 · (500 − 45)
        assertThat(millis).isCloseTo(16.04095, within(1e-12));
    }

    @Test
    void the_attention_of_a_first_chunk_is_half_its_square() {
        assertThat(StepCost.attention(1000, 1000)).isEqualTo(500_000);
    }

    @Test
    void two_chunks_attend_to_as_much_as_one() {
        assertThat(StepCost.attention(600, 600) + StepCost.attention(400, 1000))
                .isEqualTo(StepCost.attention(1000, 1000));
    }

    @Test
    void inter_token_time_on_8b_h100_grows_with_the_batch() {
        StepCost cost = Profile.LLAMA_8B_H100.cost();

        assertThat(cost.millis(1, 1000, 0)).isCloseTo(8, within(0.2));
        assertThat(cost.millis(64, 64_000, 0)).isCloseTo(11, within(0.7));
        assertThat(cost.millis(256, 256_000, 0)).isCloseTo(23, within(0.7));
    }
}
