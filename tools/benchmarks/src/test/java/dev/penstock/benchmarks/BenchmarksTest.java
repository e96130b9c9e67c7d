package dev.penstock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.penstock.report.Report;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

/** Figures that don't depend on how busy the machine is; ratios of times are for {@code ./penstock bench}. */
class BenchmarksTest {
    private static final Form TINY = new Form(3, 10, 50, 10, 20_000, 1, 50);
    private static final Progress QUIET = step -> {};

    /** Small fleets: one of 10,000 takes seconds to build. */
    @Test
    void a_decision_allocates_nothing_and_jmh_runs_in_its_own_jvm() {
        Report report = new DecideBench(TINY, QUIET, 50, 500).run("./penstock bench decide");

        assertThat(report.figures().keySet())
                .containsExactly(
                        "p99_ratio_10000_to_50", "bytes_per_op", "p50_us_n2000", "p99_us_n2000", "contended_p9999_us");
        assertThat(report.figures())
                .allSatisfy((name, figure) ->
                        assertThat(figure.mean()).isNotNegative().isFinite());
        assertThat(mean(report, "bytes_per_op")).isLessThanOrEqualTo(0.01);
        assertThat(mean(report, "p50_us_n2000")).isPositive().isLessThanOrEqualTo(mean(report, "p99_us_n2000"));
        assertThat(report.baselines()).containsOnlyKeys("full_scan");
        assertThat(report.bars())
                .extracting(Report.Bar::figure, Report.Bar::op, Report.Bar::limit)
                .containsExactly(tuple("p99_ratio_10000_to_50", "<=", 1.5), tuple("bytes_per_op", "<=", 0.01));
        assertThat(report.seeds()).isEqualTo(3);
    }

    @Test
    void a_record_allocates_nothing_and_every_decision_is_made_again() {
        Report report = new ExplainBench(TINY, QUIET).run("./penstock bench explain");

        assertThat(mean(report, "bytes_per_op")).isLessThanOrEqualTo(0.01);
        assertThat(mean(report, "redecided_pct")).isEqualTo(100);
        assertThat(mean(report, "decide_p99_ratio_with_record")).isPositive().isFinite();
        assertThat(report.bars())
                .extracting(Report.Bar::figure, Report.Bar::op, Report.Bar::limit)
                .containsExactly(
                        tuple("bytes_per_op", "<=", 0.01),
                        tuple("decide_p99_ratio_with_record", "<=", 1.3),
                        tuple("redecided_pct", ">=", 100.0));
    }

    @Test
    void a_prefix_table_allocates_nothing_and_keeps_its_bound() {
        Report report = new PrefixBench(TINY, QUIET, 1_000_000).run("./penstock bench prefix");

        assertThat(mean(report, "bytes_per_op")).isLessThanOrEqualTo(0.01);
        assertThat(mean(report, "memory_over_bound_ratio")).isBetween(0.9, 1.0);
        assertThat(mean(report, "hash_gb_per_s")).isPositive().isFinite();
        assertThat(mean(report, "lookup_p50_us_n10000")).isPositive().isFinite();
        assertThat(report.bars())
                .extracting(Report.Bar::figure, Report.Bar::op, Report.Bar::limit)
                .containsExactly(
                        tuple("lookup_ratio_10000_to_50", "<=", 1.5),
                        tuple("memory_over_bound_ratio", "<=", 1.0),
                        tuple("bytes_per_op", "<=", 0.01));
    }

    @Test
    void taking_a_slot_allocates_nothing_and_calls_nobody() {
        Report report = new AdmitBench(TINY, QUIET).run("./penstock bench admit");

        assertThat(mean(report, "bytes_per_op")).isLessThanOrEqualTo(0.01);
        assertThat(mean(report, "remote_calls")).isZero();
        assertThat(mean(report, "p50_ns")).isPositive().isFinite();
        assertThat(report.ok()).isTrue();
    }

    @Test
    void three_of_four_replicas_have_a_slot() {
        AdmitLoop loop = new AdmitLoop();

        loop.run(AdmitLoop.REPLICAS);

        assertThat(loop.admitted()).isEqualTo(AdmitLoop.REPLICAS * 3 / 4);
    }

    @Test
    void a_call_is_counted() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
                SocketChannel client = SocketChannel.open(listener.getLocalAddress())) {
            assertThat(RemoteCalls.during(() -> write(client))).isEqualTo(1);
        }
    }

    private static void write(SocketChannel client) {
        try {
            client.write(ByteBuffer.wrap(new byte[] {1}));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void an_unknown_name_lists_the_known() {
        assertThatThrownBy(() -> Benchmarks.run("nope", false, QUIET))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("nope", "admit", "decide", "explain", "prefix");
    }

    private static double mean(Report report, String figure) {
        return report.figures().get(figure).mean();
    }
}
