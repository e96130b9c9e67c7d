package dev.penstock.collector.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrometheusTextTest {
    private static final String PAGE = """
        # HELP vllm:num_requests_running Requests in batch. Fake sample in help: vllm:num_requests_running 99
        # TYPE vllm:num_requests_running gauge
        vllm:num_requests_running{engine="0",model_name="org/m-7b"} 3.0
        vllm:num_requests_waiting{model_name="a\\"b,c}d{e\\\\",engine="0",} 1.2E+01 1700000000000
        vllm:kv_cache_usage_perc{engine="0",model_name="org/m-7b"} NaN
        vllm:generation_tokens_total{engine="0",model_name="line1\\nline2"} 1.5e+06
        vllm:time_to_first_token_seconds_bucket{le="+Inf"} 7
        vllm:time_to_first_token_seconds_sum 0.35
        weird +Inf
        weird2{a="x"}\t  -0.0
        """;
    private static final int RUNNING = 0;
    private static final int WAITING = 1;
    private static final int KV = 2;
    private static final int GENERATED = 3;
    private static final int TTFT_SUM = 4;
    private static final int WEIRD = 5;
    private static final int WEIRD_2 = 6;

    private final PrometheusText text = new PrometheusText(List.of(
            Family.sum("vllm:num_requests_running"),
            Family.sum("vllm:num_requests_waiting").where("model_name", "a\"b,c}d{e\\"),
            Family.max("vllm:kv_cache_usage_perc"),
            Family.sum("vllm:generation_tokens_total").where("model_name", "line1\nline2"),
            Family.sum("vllm:time_to_first_token_seconds_sum"),
            Family.sum("weird"),
            Family.sum("weird2")));

    @Test
    void the_reference_page_has_the_reference_values() {
        scan(PAGE, true);

        checkReference();
        assertThat(text.garbageLines()).isZero();
    }

    @Test
    void line_ends_may_be_crlf() {
        scan(PAGE.replace("\n", "\r\n"), true);

        checkReference();
        assertThat(text.garbageLines()).isZero();
    }

    @Test
    void the_last_line_of_a_whole_body_needs_no_newline() {
        scan(PAGE.stripTrailing(), true);

        checkReference();
    }

    @Test
    void the_last_line_of_a_cut_body_is_not_read() {
        String cut = PAGE.substring(0, PAGE.indexOf("1.2E+01") + 1);

        scan(cut, false);

        assertThat(text.value(RUNNING)).isEqualTo(3);
        assertThat(text.seen(WAITING)).isFalse();
        assertThat(text.cut()).isTrue();
    }

    @Test
    void garbage_is_skipped_and_counted() {
        scan(PAGE.replace("weird +Inf", "weird +Inf\n!! what {\nweird{a=\"open\nweird\nweird 1 2 3\nweird 1x"), true);

        checkReference();
        assertThat(text.garbageLines()).isEqualTo(5);
    }

    @Test
    void exemplars_and_the_end_mark_of_open_metrics_are_no_garbage() {
        scan("weird2{a=\"x\"} 4 # {trace_id=\"x\"} 1 1.7e9\nweird 2 1.7e9 # {} 1\n# EOF\n", true);

        assertThat(text.value(WEIRD_2)).isEqualTo(4);
        assertThat(text.value(WEIRD)).isEqualTo(2);
        assertThat(text.garbageLines()).isZero();
    }

    @Test
    void a_sample_is_as_old_as_its_scrape_whatever_its_timestamp_says() {
        long now = System.currentTimeMillis();
        long hour = 3_600_000;
        scan("weird 2 " + (now - hour) + "\nweird2 4 " + (now + hour) + "\n", true);

        assertThat(text.value(WEIRD)).isEqualTo(2);
        assertThat(text.value(WEIRD_2)).isEqualTo(4);
        assertThat(text.garbageLines()).isZero();
    }

    @Test
    void ranks_are_summed_and_the_fullest_counts() {
        scan("""
            vllm:num_requests_running{engine="0"} 3
            vllm:num_requests_running{engine="1"} 4
            vllm:kv_cache_usage_perc{engine="0"} 0.25
            vllm:kv_cache_usage_perc{engine="1"} 0.75
            vllm:kv_cache_usage_perc{engine="2"} NaN
            """, true);

        assertThat(text.value(RUNNING)).isEqualTo(7);
        assertThat(text.value(KV)).isEqualTo(0.75);
    }

    @Test
    void of_processes_the_greatest_counts() {
        scan("""
            vllm:num_requests_running{engine="0",pid="11"} 0
            vllm:num_requests_running{engine="0",pid="12"} 6
            vllm:num_requests_running{engine="0",pid="13"} 0
            """, true);

        assertThat(text.value(RUNNING)).isEqualTo(6);
    }

    @Test
    void a_sum_with_an_unknown_part_is_unknown() {
        scan("vllm:num_requests_running 3\nvllm:num_requests_running NaN\n", true);

        assertThat(text.seen(RUNNING)).isTrue();
        assertThat(text.value(RUNNING)).isNaN();
    }

    private void checkReference() {
        assertThat(text.value(RUNNING)).isEqualTo(3);
        assertThat(text.value(WAITING)).isEqualTo(12);
        assertThat(text.seen(KV)).isTrue();
        assertThat(text.value(KV)).isNaN();
        assertThat(text.value(GENERATED)).isEqualTo(1_500_000);
        assertThat(text.value(TTFT_SUM)).isEqualTo(0.35);
        assertThat(text.value(WEIRD)).isNaN();
        assertThat(text.value(WEIRD_2)).isZero();
    }

    private void scan(String page, boolean whole) {
        byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
        text.scan(bytes, bytes.length, whole);
    }
}
