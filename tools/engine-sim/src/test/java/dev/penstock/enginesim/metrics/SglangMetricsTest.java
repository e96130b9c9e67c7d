package dev.penstock.enginesim.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.enginesim.step.Jitter;
import dev.penstock.enginesim.step.Profile;
import dev.penstock.enginesim.step.RequestOverhead;
import dev.penstock.enginesim.step.StepCost;
import dev.penstock.enginesim.step.StepSimulator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SglangMetricsTest {
    private static final String SCHEDULER =
            "{engine_type=\"unified\",model_name=\"m\",moe_ep_rank=\"0\",pp_rank=\"0\",tp_rank=\"0\"} ";

    /** 1 ms a step; requests are ready at once. */
    private static final Profile PLAIN = new Profile(
            "plain",
            new StepCost(1, 0, 0, 0, 0, 0, 0),
            2,
            8192,
            16_384,
            32_768,
            new RequestOverhead(0, 0, 0),
            Jitter.NONE);

    private long now = 1;
    private StepSimulator simulator;
    private MetricPage page;

    @BeforeEach
    void wire() {
        Gauges live = new Gauges(() -> simulator.running(), () -> simulator.waiting(), () -> simulator.kvUsage());
        SglangMetrics metrics = new SglangMetrics(PLAIN, "m", live, () -> now);
        simulator = new StepSimulator(PLAIN, () -> now, new SplittableRandom(1), metrics);
        page = metrics.page(new SglangHttpMetrics(List.of("/v1/completions")));
    }

    private void step(int steps) {
        long until = simulator.steps() + steps;
        while (simulator.steps() < until) {
            long wait = simulator.advance();
            now += wait == StepSimulator.IDLE ? 0 : wait;
        }
    }

    private String gauge(String name) {
        return page.named(java.util.Set.of("sglang:" + name)).lines().toList().getLast();
    }

    @Test
    void the_page_has_these_families() {
        List<String> families = page.all()
                .lines()
                .filter(line -> line.startsWith("# TYPE"))
                .map(line -> line.substring(7))
                .toList();

        assertThat(families)
                .containsExactly(
                        "sglang:num_running_reqs gauge",
                        "sglang:num_queue_reqs gauge",
                        "sglang:num_grammar_queue_reqs gauge",
                        "sglang:num_retracted_reqs gauge",
                        "sglang:num_paused_reqs gauge",
                        "sglang:token_usage gauge",
                        "sglang:num_used_tokens gauge",
                        "sglang:max_total_num_tokens gauge",
                        "sglang:gen_throughput gauge",
                        "sglang:cache_hit_rate gauge",
                        "sglang:utilization gauge",
                        "sglang:cache_config_info gauge",
                        "sglang:prompt_tokens_total counter",
                        "sglang:generation_tokens_total counter",
                        "sglang:cached_tokens_total counter",
                        "sglang:num_requests_total counter",
                        "sglang:num_aborted_requests_total counter",
                        "sglang:num_retracted_requests_total counter",
                        "sglang:realtime_tokens_total counter",
                        "sglang:time_to_first_token_seconds histogram",
                        "sglang:inter_token_latency_seconds histogram",
                        "sglang:e2e_request_latency_seconds histogram",
                        "sglang:queue_time_seconds histogram",
                        "sglang:http_requests_total counter",
                        "sglang:http_responses_total counter",
                        "sglang:http_requests_active gauge");
    }

    @Test
    void a_gauge_looks_like_this() {
        assertThat(page.named(java.util.Set.of("sglang:num_queue_reqs"))).isEqualTo("""
            # HELP sglang:num_queue_reqs The number of requests in the waiting queue.
            # TYPE sglang:num_queue_reqs gauge
            sglang:num_queue_reqs\
            """ + SCHEDULER + "0.0\n");
        assertThat(gauge("cache_config_info"))
                .isEqualTo("sglang:cache_config_info{engine_type=\"unified\",model_name=\"m\",moe_ep_rank=\"0\","
                        + "num_pages=\"16384\",page_size=\"16\",pp_rank=\"0\",tp_rank=\"0\"} 1.0");
    }

    @Test
    void gauges_move_with_prefills_and_every_fortieth_decode_step_and_counters_always() {
        for (int i = 0; i < 3; i++) {
            simulator.submit(10, i == 0 ? 10 : 200, _ -> {});
        }
        step(1);
        assertThat(gauge("num_running_reqs")).endsWith(" 2.0");
        step(9);
        // The first one is done and the third one runs; the page shows the first batch until the third's prefill ends.
        assertThat(simulator.waiting()).isZero();
        assertThat(gauge("num_queue_reqs")).endsWith(" 1.0");
        step(1);
        assertThat(gauge("num_queue_reqs")).endsWith(" 0.0");
        String used = gauge("num_used_tokens");
        String tokens = gauge("generation_tokens_total");

        // Nine decode steps have been; the fortieth moves the gauges.
        step(30);
        assertThat(gauge("num_used_tokens")).isEqualTo(used);
        assertThat(gauge("generation_tokens_total")).isNotEqualTo(tokens);
        step(1);
        assertThat(gauge("num_used_tokens")).isNotEqualTo(used);
    }

    @Test
    void an_idle_engine_shows_its_last_busy_numbers_for_half_a_minute() {
        simulator.submit(10, 10, _ -> {});
        step(10);

        now += SglangMetrics.IDLE_FLUSH_NANOS - 1_000_000_000;
        assertThat(gauge("num_running_reqs")).endsWith(" 1.0");
        now += 1_000_000_000;
        assertThat(gauge("num_running_reqs")).endsWith(" 0.0");
        assertThat(gauge("token_usage")).endsWith(" 0.0");
    }

    @Test
    void counters_are_exact() {
        simulator.submit(10, 3, _ -> {});
        step(3);

        assertThat(page.all())
                .contains("\nsglang:prompt_tokens_total{model_name=\"m\"} 10.0\n")
                .contains("\nsglang:generation_tokens_total{model_name=\"m\"} 3.0\n")
                .contains("\nsglang:cached_tokens_total{cache_source=\"device\",model_name=\"m\"} 0.0\n")
                .contains("\nsglang:num_requests_total{model_name=\"m\"} 1.0\n")
                .contains("\nsglang:inter_token_latency_seconds_count{model_name=\"m\"} 2.0\n")
                .contains("\nsglang:realtime_tokens_total{mode=\"prefill_compute\",model_name=\"m\"} 10.0\n");
    }
}
