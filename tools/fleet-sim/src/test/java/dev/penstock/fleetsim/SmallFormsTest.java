package dev.penstock.fleetsim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.report.Report;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The small form of every scenario. Named baselines must miss every bar; of the production policy only bars that it holds
 * are asserted. Those that it misses are max_over_mean_inflight and waited_pct of balance, waited_pct of sparse and
 * waited_pct of embeddings: least request over what peers published herds on the age of that.
 */
class SmallFormsTest {
    @Test
    void balance() {
        Report report = small("balance");

        assertThat(report.figures()).containsOnlyKeys("max_over_mean_inflight", "waited_pct");
        assertBaselinesMiss(report);
        assertThat(mean(report, "oracle", "max_over_mean_inflight")).isLessThan(1.06);
        assertThat(report.figures().get("waited_pct").mean()).isLessThan(mean(report, "random", "waited_pct"));
    }

    @Test
    void sparse() {
        Report report = small("sparse");

        assertBaselinesMiss(report);
        assertThat(report.figures().get("waited_pct").mean()).isLessThan(mean(report, "own_only", "waited_pct"));
    }

    @Test
    void embeddings() {
        assertBaselinesMiss(small("embeddings"));
    }

    @Test
    void routers() {
        Report report = small("routers");

        assertThat(report.ok()).isTrue();
        assertThat(report.figures().get("dead_count_seconds").mean()).isBetween(2.5, 3.2);
    }

    private static Report small(String name) {
        Report report = FleetSim.run(name, null, false, (policy, seed, seeds) -> {});
        assertThat(report.seeds()).isEqualTo(3);
        assertThat(report.command()).isEqualTo("./penstock sim " + name);
        return report;
    }

    private static void assertBaselinesMiss(Report report) {
        List<Report.Bar> bars = report.bars();
        assertThat(bars).isNotEmpty().allSatisfy(bar -> assertThat(bar.baselineMisses())
                .as(bar.toString())
                .isTrue());
    }

    private static double mean(Report report, String policy, String figure) {
        return report.baselines().get(policy).get(figure).mean();
    }
}
