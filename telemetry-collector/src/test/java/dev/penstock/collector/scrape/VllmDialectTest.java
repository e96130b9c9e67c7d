package dev.penstock.collector.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.capacity.Work;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class VllmDialectTest {
    private final VllmDialect dialect = new VllmDialect();

    @Test
    void the_page_of_today_is_read() {
        assertThat(read("""
            # TYPE vllm:num_requests_running gauge
            vllm:num_requests_running{engine="0",model_name="m"} 3.0
            vllm:num_requests_waiting{engine="0",model_name="m"} 2.0
            vllm:kv_cache_usage_perc{engine="0",model_name="m"} 0.251
            # TYPE vllm:iteration_tokens_total histogram
            vllm:iteration_tokens_total_bucket{engine="0",le="1.0",model_name="m"} 5.0
            vllm:iteration_tokens_total_count{engine="0",model_name="m"} 1.234567e+06
            vllm:iteration_tokens_total_sum{engine="0",model_name="m"} 9e+06
            vllm:generation_tokens_total{engine="0",model_name="m"} 7.0
            vllm:engine_sleep_state{engine="0",model_name="m",sleep_state="awake"} 1.0
            vllm:engine_sleep_state{engine="0",model_name="m",sleep_state="discard_all"} 0.0
            """))
                .isEqualTo(new Reading(3, 2, 251_000, 1_234_567, false, false, new Work(7, -1, -1, Double.NaN), null));
    }

    @Test
    void older_names_and_those_of_ray_are_read() {
        assertThat(read("""
            vllm_num_requests_running{model_name="m"} 1
            vllm_num_requests_waiting{model_name="m"} 0
            vllm_gpu_cache_usage_perc{model_name="m"} 0.5
            vllm_generation_tokens_total{model_name="m"} 10
            vllm_prompt_tokens_total{model_name="m"} 100
            """))
                .isEqualTo(new Reading(1, 0, 500_000, 110, false, false, new Work(10, 100, -1, Double.NaN), null));
    }

    @Test
    void ranks_are_summed_and_the_fullest_tells_of_the_cache() {
        Reading reading = read("""
            vllm:num_requests_running{engine="0",model_name="m"} 3.0
            vllm:num_requests_running{engine="1",model_name="m"} 5.0
            vllm:num_requests_waiting{engine="0",model_name="m"} 0.0
            vllm:num_requests_waiting{engine="1",model_name="m"} 2.0
            vllm:kv_cache_usage_perc{engine="0",model_name="m"} 0.75
            vllm:kv_cache_usage_perc{engine="1",model_name="m"} 0.25
            vllm:iteration_tokens_total_count{engine="0",model_name="m"} 10.0
            vllm:iteration_tokens_total_count{engine="1",model_name="m"} 20.0
            vllm:engine_sleep_state{engine="0",model_name="m",sleep_state="awake"} 0.0
            vllm:engine_sleep_state{engine="1",model_name="m",sleep_state="awake"} 1.0
            vllm:generation_tokens_total{engine="0",model_name="m"} 1e+06
            vllm:generation_tokens_total{engine="1",model_name="m"} 2e+06
            vllm:prompt_tokens_total{engine="0",model_name="m"} 900.0
            vllm:prompt_tokens_total{engine="1",model_name="m"} 900.0
            vllm:prompt_tokens_by_source_total{engine="0",model_name="m",source="local_compute"} 100.0
            vllm:prompt_tokens_by_source_total{engine="0",model_name="m",source="local_cache_hit"} 800.0
            vllm:prompt_tokens_by_source_total{engine="1",model_name="m",source="local_compute"} 200.0
            vllm:request_success_total{engine="0",finished_reason="stop",model_name="m"} 4.0
            vllm:request_success_total{engine="0",finished_reason="length",model_name="m"} 5.0
            vllm:request_success_total{engine="1",finished_reason="stop",model_name="m"} 6.0
            """);

        assertThat(reading)
                .isEqualTo(
                        new Reading(8, 2, 750_000, 30, false, false, new Work(3_000_000, 300, 15, Double.NaN), null));
    }

    @Test
    void of_what_several_processes_say_of_a_rank_the_greatest_counts() {
        Reading reading = read("""
            vllm:num_requests_running{engine="0",model_name="m",pid="101"} 3.0
            vllm:num_requests_running{engine="0",model_name="m",pid="102"} 0.0
            vllm:num_requests_running{model_name="m",pid="101",engine="1"} 0.0
            vllm:num_requests_running{engine="1",pid="102",model_name="m"} 5.0
            vllm:num_requests_waiting{engine="0",model_name="m",pid="101"} 2.0
            vllm:num_requests_waiting{engine="0",model_name="m",pid="102"} 2.0
            vllm:kv_cache_usage_perc{engine="0",model_name="m",pid="101"} 0.5
            vllm:kv_cache_usage_perc{engine="0",model_name="m",pid="102"} 0.0
            """);

        assertThat(reading).isEqualTo(new Reading(8, 2, 500_000, -1, false, false));
    }

    @Test
    void cached_prompt_tokens_are_no_work() {
        String load = "vllm:num_requests_running 1\nvllm:prompt_tokens_total 1000\n";

        assertThat(computedPrompt(load + "vllm:prompt_tokens_cached_total 400\nvllm:prefix_cache_hits_total 1\n"))
                .isEqualTo(600);
        assertThat(computedPrompt(load + "vllm:prefix_cache_hits_total 300\n")).isEqualTo(700);
        assertThat(computedPrompt(load + "vllm:gpu_prefix_cache_hits_total 1200\n"))
                .isZero();
        assertThat(computedPrompt(load)).isEqualTo(1_000);
        assertThat(computedPrompt("vllm:num_requests_running 1\n")).isEqualTo(-1);
    }

    @Test
    void adapters_in_use_are_those_of_the_latest_series() {
        String info =
                "vllm:lora_requests_info{max_lora=\"4\",running_lora_adapters=\"%s\",waiting_lora_adapters=\"%s\"}"
                        + " %s\n";
        String page = "vllm:num_requests_running 1\n"
                + info.formatted("old", "", "1.7e+09")
                + info.formatted("sql,ch\\\"at", " sql , docs,", "1.7000000015e+09")
                + info.formatted("", "", "1.7000000005e+09");

        AdaptersInUse use = read(page).adapters();

        assertThat(use.stamp()).isEqualTo(1_700_000_001.5);
        assertThat(use.names()).containsExactly("sql", "ch\"at", "docs");
        assertThat(read("vllm:num_requests_running 1\n").adapters()).isNull();
        assertThat(read("vllm:num_requests_running 1\nvllm:lora_requests_info 5\n")
                        .adapters())
                .isEqualTo(new AdaptersInUse(5, List.of()));
    }

    @Test
    void a_page_full_of_adapters_is_cut() {
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < 5_000; i++) names.append("a").append(i).append(',');

        Reading reading = read(
                "vllm:num_requests_running 1\nvllm:lora_requests_info{running_lora_adapters=\"" + names + "\"} 5\n");

        assertThat(reading.adapters().names()).hasSize(256);
    }

    private long computedPrompt(String page) {
        return read(page).work().computedPromptTokens();
    }

    @Test
    void an_engine_that_is_not_awake_sleeps() {
        Reading reading = read("""
            vllm:num_requests_running 0
            vllm:num_requests_waiting 0
            vllm:engine_sleep_state{sleep_state="awake"} 0
            vllm:engine_sleep_state{sleep_state="weights_offloaded"} 1
            """);

        assertThat(reading).isEqualTo(new Reading(0, 0, -1, -1, true, false));
    }

    @Test
    void not_a_number_is_unknown() {
        assertThat(read("vllm:num_requests_running NaN\nvllm:num_requests_waiting 1\nvllm:kv_cache_usage_perc NaN\n"))
                .isEqualTo(new Reading(-1, 1, -1, -1, false, false));
    }

    @Test
    void another_page_is_none() {
        assertThat(read("<html><body>hello</body></html>")).isNull();
        assertThat(read("")).isNull();
        assertThat(read("sglang:num_running_reqs 3\n")).isNull();
    }

    @Test
    void samples_are_asked_for_by_their_encoded_names() {
        assertThat(dialect.filteredPath())
                .startsWith("/metrics/?name%5B%5D=vllm%3Anum_requests_running&name%5B%5D=vllm_num_requests_running&")
                .contains("name%5B%5D=vllm%3Aiteration_tokens_total_count");
    }

    private Reading read(String page) {
        return dialect.read(page.getBytes(StandardCharsets.UTF_8));
    }
}
