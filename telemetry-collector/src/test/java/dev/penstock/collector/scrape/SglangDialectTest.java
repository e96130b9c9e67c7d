package dev.penstock.collector.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.capacity.Work;
import dev.penstock.model.Sample;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SglangDialectTest {
    private final SglangDialect dialect = new SglangDialect();

    @Test
    void loads_are_summed_over_ranks_and_prove_themselves() {
        Reading reading = read("""
            {"timestamp":"2026-08-01T10:00:00Z","version":"0.5","dp_rank_count":2,"loads":[
             {"dp_rank":0,"num_running_reqs":3,"num_waiting_reqs":1,"token_usage":0.25,"cache_hit_rate":0.5,"x":{"y":[1]}},
             {"dp_rank":1,"num_running_reqs":4,"num_waiting_reqs":0,"token_usage":0.75,"gen_throughput":120.5},
             {"dp_rank":2,"num_running_reqs":0,"num_waiting_reqs":0,"token_usage":0.1,"gen_throughput":4}],
             "aggregate":{"total_running_reqs":7,"loads":9}}\
            """);

        assertThat(reading)
                .isEqualTo(new Reading(7, 1, 750_000, Sample.UNKNOWN, false, true, new Work(-1, -1, -1, 124.5), null));
    }

    @Test
    void half_an_answer_is_no_reading() {
        assertThat(read("{\"loads\":[]}")).isNull();
        assertThat(read("{\"loads\":[{\"dp_rank\":0,\"num_running_reqs\":3}]}")).isNull();
        assertThat(read("{\"detail\":\"Not Found\"}")).isNull();
        assertThat(read("{\"loads\":[{\"num_running_reqs\":3,")).isNull();
        assertThat(dialect.garbageLines()).isEqualTo(1);
    }

    @Test
    void the_metrics_page_is_read_where_loads_are_missing() {
        Reading reading = read("""
            # TYPE sglang:num_running_reqs gauge
            sglang:num_running_reqs{model_name="m",tp_rank="0"} 5.0
            sglang:num_queue_reqs{model_name="m",tp_rank="0"} 2.0
            sglang:token_usage{model_name="m",tp_rank="0"} 0.5
            sglang:realtime_tokens_total{mode="decode"} 100.0
            sglang:realtime_tokens_total{mode="prefill_compute"} 20.0
            sglang:generation_tokens_total{model_name="m"} 7.0
            """);

        assertThat(reading)
                .isEqualTo(new Reading(5, 2, 500_000, 120, false, false, new Work(7, 20, -1, Double.NaN), null));
    }

    @Test
    void ranks_of_one_scheduler_and_priorities_are_not_added_up() {
        Reading reading = read("""
            sglang:num_running_reqs{dp_rank="0",tp_rank="0"} 5.0
            sglang:num_running_reqs{dp_rank="0",tp_rank="1"} 5.0
            sglang:num_running_reqs{dp_rank="1",tp_rank="0"} 2.0
            sglang:num_running_reqs{dp_rank="1",tp_rank="0",priority="None"} 1.0
            sglang:num_running_reqs{dp_rank="1",tp_rank="0",priority="7"} 1.0
            sglang:num_queue_reqs{dp_rank="0",tp_rank="0"} 1.0
            sglang:token_usage{dp_rank="0",tp_rank="0"} 0.5
            sglang:token_usage{dp_rank="1",tp_rank="0"} 0.6
            sglang:num_requests_total{model_name="m"} 11.0
            """);

        assertThat(reading)
                .isEqualTo(new Reading(7, 1, 600_000, -1, false, false, new Work(-1, -1, 11, Double.NaN), null));
    }

    @Test
    void a_page_of_another_engine_is_no_reading() {
        assertThat(read("vllm:num_requests_running 3\n")).isNull();
        assertThat(read("")).isNull();
    }

    private Reading read(String page) {
        return dialect.read(page.getBytes(StandardCharsets.UTF_8));
    }
}
