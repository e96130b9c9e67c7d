package dev.penstock.collector.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
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
            """)).isEqualTo(new Reading(3, 2, 251_000, 1_234_567, false, false));
    }

    @Test
    void older_names_and_those_of_ray_are_read() {
        assertThat(read("""
            vllm_num_requests_running{model_name="m"} 1
            vllm_num_requests_waiting{model_name="m"} 0
            vllm_gpu_cache_usage_perc{model_name="m"} 0.5
            vllm_generation_tokens_total{model_name="m"} 10
            vllm_prompt_tokens_total{model_name="m"} 100
            """)).isEqualTo(new Reading(1, 0, 500_000, 110, false, false));
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
