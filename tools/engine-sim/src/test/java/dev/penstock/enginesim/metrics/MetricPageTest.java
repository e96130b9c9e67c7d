package dev.penstock.enginesim.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.enginesim.step.Profile;
import dev.penstock.enginesim.step.StepSimulator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MetricPageTest {
    private long now = 1;

    private final EngineMetrics metrics = new EngineMetrics(Profile.FAST, MetricDialect.NEW, "m\"1");
    private final MetricPage page = pageOf(metrics);

    private static MetricPage pageOf(EngineMetrics metrics) {
        return metrics.page(
                new Gauges(() -> 3, () -> 1.5e6, () -> 0.25),
                new ProcessMetrics(),
                new HttpMetrics(List.of("/v1/chat/completions")));
    }

    private void serve(int promptTokens, int outputTokens) {
        StepSimulator simulator = new StepSimulator(Profile.FAST, () -> now, new SplittableRandom(1), metrics);
        simulator.submit(promptTokens, outputTokens, _ -> {});
        for (long wait = simulator.advance(); wait != StepSimulator.IDLE; wait = simulator.advance()) {
            now += wait;
        }
    }

    @Test
    void the_page_has_the_size_of_a_real_one() {
        assertThat(page.all().lines().count()).isBetween(430L, 560L);
        assertThat(page.all().length()).isBetween(35_000, 55_000);
    }

    @Test
    void a_filtered_page_has_the_named_samples_under_their_headers_in_page_order() {
        String text = page.named(Set.of("vllm:kv_cache_usage_perc", "vllm:num_requests_waiting"));

        assertThat(text).isEqualTo("""
            # HELP vllm:num_requests_waiting Number of requests waiting to be processed.
            # TYPE vllm:num_requests_waiting gauge
            vllm:num_requests_waiting{engine="0",model_name="m\\"1"} 1.5e+06
            # HELP vllm:kv_cache_usage_perc KV-cache usage. 1 means 100 percent usage.
            # TYPE vllm:kv_cache_usage_perc gauge
            vllm:kv_cache_usage_perc{engine="0",model_name="m\\"1"} 0.25
            """);
    }

    @Test
    void a_histogram_is_named_by_its_samples_and_not_by_its_family() {
        serve(10, 3);

        assertThat(page.named(Set.of("vllm:iteration_tokens_total"))).isEmpty();
        assertThat(page.named(Set.of("vllm:iteration_tokens_total_count"))).isEqualTo("""
            # HELP vllm:iteration_tokens_total Histogram of number of tokens per engine_step.
            # TYPE vllm:iteration_tokens_total histogram
            vllm:iteration_tokens_total_count{engine="0",model_name="m\\"1"} 3.0
            """);
    }

    @Test
    void an_unknown_name_selects_nothing() {
        assertThat(page.named(Set.of("vllm:nope"))).isEmpty();
    }

    @Test
    void a_finished_request_is_in_every_metric_once() {
        serve(10, 3);

        assertThat(page.all())
                .contains("vllm:prompt_tokens_total{engine=\"0\",model_name=\"m\\\"1\"} 10.0\n")
                .contains("vllm:generation_tokens_total{engine=\"0\",model_name=\"m\\\"1\"} 3.0\n")
                .contains("vllm:request_success_total{engine=\"0\",finished_reason=\"length\",model_name=\"m\\\"1\"}"
                        + " 1.0\n")
                .contains("vllm:time_to_first_token_seconds_count{engine=\"0\",model_name=\"m\\\"1\"} 1.0\n")
                .contains("vllm:inter_token_latency_seconds_count{engine=\"0\",model_name=\"m\\\"1\"} 2.0\n")
                .contains("vllm:request_prompt_tokens_bucket{engine=\"0\",le=\"5.0\",model_name=\"m\\\"1\"} 0.0\n")
                .contains("vllm:request_prompt_tokens_bucket{engine=\"0\",le=\"10.0\",model_name=\"m\\\"1\"} 1.0\n")
                .contains("vllm:request_prompt_tokens_bucket{engine=\"0\",le=\"+Inf\",model_name=\"m\\\"1\"} 1.0\n")
                .contains("vllm:iteration_tokens_total_bucket{engine=\"0\",le=\"8.0\",model_name=\"m\\\"1\"} 2.0\n");
    }

    @Test
    void the_old_dialect_has_the_names_before_the_renames() {
        String old =
                pageOf(new EngineMetrics(Profile.FAST, MetricDialect.OLD, "m")).all();

        assertThat(old)
                .contains("\nvllm:gpu_cache_usage_perc{engine=\"0\",model_name=\"m\"} 0.25\n")
                .contains("\nvllm:gpu_prefix_cache_queries_total{")
                .contains("\nvllm:time_per_output_token_seconds_bucket{")
                .doesNotContain("kv_cache_usage_perc")
                .doesNotContain("inter_token_latency")
                .doesNotContain("waiting_by_reason");
    }

    @Test
    void a_frozen_page_keeps_its_numbers() {
        MetricPage frozen = page.frozen();
        String before = frozen.all();

        serve(10, 3);

        assertThat(frozen.all()).isEqualTo(before);
        assertThat(page.all()).isNotEqualTo(before);
        assertThat(frozen.named(Set.of("vllm:prompt_tokens_total"))).endsWith("} 0.0\n");
    }

    @Test
    void every_line_is_a_header_or_a_sample() {
        assertThat(page.all().lines())
                .allMatch(line -> line.matches("# (HELP|TYPE) \\S+ .+")
                        || line.matches("[a-z0-9_:]+(\\{([a-z_]+=\"([^\"\\\\]|\\\\.)*\",?)+})? [-+0-9.eNaInf]+"));
    }
}
