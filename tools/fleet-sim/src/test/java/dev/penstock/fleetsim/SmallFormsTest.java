package dev.penstock.fleetsim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.report.Report;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * The small form of every scenario. Named baselines must miss every bar; of the production policy only bars that it holds
 * are asserted. Those that it misses are max_over_mean_inflight and waited_pct of balance and routers, waited_pct of sparse
 * and embeddings, peak_queue_new of stampede: least request over what peers published herds on the age of that, and nobody
 * goes slow on new replicas.
 */
class SmallFormsTest {
    @Test
    void balance() throws IOException {
        Report report = small("balance");

        assertThat(report.figures()).containsOnlyKeys("max_over_mean_inflight", "waited_pct");
        assertBaselinesMiss(report);
        assertThat(mean(report, "oracle", "max_over_mean_inflight")).isLessThan(1.06);
        assertThat(value(report, "waited_pct")).isLessThan(mean(report, "random", "waited_pct"));
    }

    @Test
    void sparse() throws IOException {
        Report report = small("sparse");

        assertBaselinesMiss(report);
        assertThat(value(report, "waited_pct")).isLessThan(mean(report, "own_only", "waited_pct"));
    }

    @Test
    void embeddings() throws IOException {
        assertBaselinesMiss(small("embeddings"));
    }

    @Test
    void routers() throws IOException {
        Report report = small("routers");

        assertThat(value(report, "dead_count_seconds")).isBetween(2.5, 3.2);
    }

    @Test
    void stampede() throws IOException {
        Report report = small("stampede");

        assertBaselinesMiss(report);
        assertHolds(report, "seconds_to_80pct_share");
        assertHolds(report, "established_growth_pct");
        assertThat(mean(report, "ramp_300s", "peak_queue_new")).isZero();
    }

    @Test
    void stale() throws IOException {
        Report report = small("stale");

        assertThat(report.ok()).isTrue();
    }

    @Test
    void trace() throws IOException {
        Report report = small("trace");

        assertThat(report.ok()).isTrue();
        assertThat(mean(report, "oracle", "ttft_p99_ratio_to_oracle")).isEqualTo(1);
        assertThat(mean(report, "round_robin", "p99_gain_over_round_robin_pct")).isZero();
    }

    private static Report small(String name) throws IOException {
        Report report = FleetSim.run(name, SimOptions.small(), (policy, seed, seeds) -> {});
        assertThat(report.seeds()).isEqualTo(3);
        assertThat(report.command()).isEqualTo("./penstock sim " + name);
        return report;
    }

    private static void assertBaselinesMiss(Report report) {
        assertThat(report.bars()).isNotEmpty().allSatisfy(bar -> assertThat(bar.baselineMisses())
                .as(bar.toString())
                .isNotEqualTo(false));
    }

    private static void assertHolds(Report report, String figure) {
        assertThat(report.bars())
                .filteredOn(bar -> bar.figure().equals(figure))
                .isNotEmpty()
                .allSatisfy(bar -> assertThat(bar.ok()).as(bar.toString()).isTrue());
    }

    private static double value(Report report, String figure) {
        return report.figures().get(figure).mean();
    }

    private static double mean(Report report, String policy, String figure) {
        return report.baselines().get(policy).get(figure).mean();
    }
}
