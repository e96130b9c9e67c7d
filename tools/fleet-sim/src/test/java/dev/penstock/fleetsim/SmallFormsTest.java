package dev.penstock.fleetsim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.report.Report;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The small form of every scenario: the production policy holds every bar, and the named baselines miss them. */
class SmallFormsTest {
    @Test
    void balance() throws IOException {
        Report report = small("balance");

        assertThat(report.ok()).isTrue();
        assertThat(report.figures()).containsOnlyKeys("max_over_mean_inflight", "waited_pct");
        assertThat(mean(report, "oracle", "max_over_mean_inflight")).isLessThan(1.06);
    }

    @Test
    void sparse() throws IOException {
        assertThat(small("sparse").ok()).isTrue();
    }

    @Test
    void embeddings() throws IOException {
        assertThat(small("embeddings").ok()).isTrue();
    }

    @Test
    void routers() throws IOException {
        Report report = small("routers");

        assertThat(report.ok()).isTrue();
        // A figure near 0 would mean that nobody counts peers at all.
        assertThat(value(report, "dead_count_seconds")).isGreaterThan(2);
    }

    @Test
    void stampede() throws IOException {
        Report report = small("stampede");

        assertThat(report.ok()).isTrue();
        assertThat(mean(report, "ramp_300s", "peak_queue_new")).isZero();
    }

    @Test
    void stale() throws IOException {
        Report report = small("stale");

        assertThat(report.ok()).isTrue();
    }

    @Test
    void sessions() throws IOException {
        Report report = small("sessions");

        assertThat(report.ok()).isTrue();
        assertThat(value(report, "moved_for_load_pct")).isLessThan(1);
    }

    @Test
    void hetero() throws IOException {
        Report report = small("hetero");

        assertThat(report.ok()).isTrue();
        assertThat(mean(report, "naive_throughput", "starved_replicas")).isGreaterThan(8);
        assertThat(mean(report, "round_robin", "utilisation_gap_points")).isGreaterThan(20);
    }

    @Test
    void trace() throws IOException {
        Report report = small("trace");

        assertThat(report.ok()).isTrue();
        assertThat(mean(report, "oracle", "ttft_p99_ratio_to_oracle")).isEqualTo(1);
        assertThat(mean(report, "round_robin", "p99_gain_over_round_robin_pct")).isZero();
    }

    @Test
    void prefix() throws IOException {
        Report report = small("prefix");

        assertThat(report.ok()).isTrue();
        // A ratio near 0 would mean that nothing is ever found in a cache.
        assertThat(mean(report, "least_request", "hit_ratio_of_oracle")).isBetween(0.3, 0.9);
        assertThat(mean(report, "prefix_oracle", "hit_ratio_of_oracle")).isEqualTo(1);
    }

    private static Report small(String name) throws IOException {
        Report report = FleetSim.run(name, SimOptions.small(), (policy, seed, seeds) -> {});
        assertThat(report.seeds()).isEqualTo(3);
        assertThat(report.command()).isEqualTo("./penstock sim " + name);
        return report;
    }

    private static double value(Report report, String figure) {
        return report.figures().get(figure).mean();
    }

    private static double mean(Report report, String policy, String figure) {
        return report.baselines().get(policy).get(figure).mean();
    }
}
