package dev.penstock.enginesim.sglang;

import dev.penstock.enginesim.engine.StepLoop;
import dev.penstock.enginesim.metrics.SampleNumber;
import dev.penstock.enginesim.metrics.SglangMetrics;
import dev.penstock.enginesim.step.Profile;
import java.time.InstantSource;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/**
 * {@code /v1/loads}: the scheduler's own numbers, fresh, as JSON or as a page, rank by rank; the sections beyond {@code core}
 * are empty.
 */
final class LoadReport {
    private final StepLoop loop;
    private final List<SglangMetrics> metrics;
    private final Profile profile;
    private final InstantSource wallClock;

    LoadReport(StepLoop loop, List<SglangMetrics> metrics, Profile profile, InstantSource wallClock) {
        this.loop = loop;
        this.metrics = metrics;
        this.profile = profile;
        this.wallClock = wallClock;
    }

    String json() {
        int ranks = loop.ranks();
        StringBuilder out = new StringBuilder(320 + 320 * ranks)
                .append("{\"timestamp\":\"")
                .append(wallClock.instant())
                .append("\",\"version\":\"")
                .append(SglangFront.VERSION)
                .append("\",\"dp_rank_count\":")
                .append(ranks)
                .append(",\"loads\":[");
        double usage = 0;
        double throughput = 0;
        for (int rank = 0; rank < ranks; rank++) {
            out.append(rank == 0 ? "" : ",");
            rank(out, rank);
            usage += loop.kvUsage(rank) / ranks;
            throughput += metrics.get(rank).throughput() / ranks;
        }
        return out.append("],\"aggregate\":{\"total_running_reqs\":")
                .append(loop.running())
                .append(",\"total_waiting_reqs\":")
                .append(loop.waiting())
                .append(",\"total_reqs\":")
                .append(loop.running() + loop.waiting())
                .append(",\"avg_token_usage\":")
                .append(rounded(usage))
                .append(",\"avg_throughput\":")
                .append(rounded(throughput))
                .append(",\"avg_utilization\":0.0}}")
                .toString();
    }

    private void rank(StringBuilder out, int rank) {
        int running = loop.running(rank);
        int waiting = loop.waiting(rank);
        out.append("{\"dp_rank\":")
                .append(rank)
                .append(",\"num_running_reqs\":")
                .append(running)
                .append(",\"num_waiting_reqs\":")
                .append(waiting)
                .append(",\"num_total_reqs\":")
                .append(running + waiting)
                .append(",\"num_used_tokens\":")
                .append(usedTokens(rank))
                .append(",\"max_total_num_tokens\":")
                .append(maxTotalTokens())
                .append(",\"token_usage\":")
                .append(rounded(loop.kvUsage(rank)))
                .append(",\"gen_throughput\":")
                .append(rounded(metrics.get(rank).throughput()))
                .append(",\"cache_hit_rate\":")
                .append(rounded(metrics.get(rank).hitRate()))
                .append(",\"utilization\":0.0,\"max_running_requests\":")
                .append(profile.maxNumSeqs())
                .append('}');
    }

    /** Names with an underscore instead of the colon, and no model name. */
    String page() {
        StringBuilder out = new StringBuilder(1024);
        gauge(out, "num_running_reqs", loop::running);
        gauge(out, "num_waiting_reqs", loop::waiting);
        gauge(out, "num_total_reqs", rank -> loop.running(rank) + loop.waiting(rank));
        gauge(out, "num_used_tokens", this::usedTokens);
        gauge(out, "max_total_num_tokens", rank -> maxTotalTokens());
        gauge(out, "token_usage", rank -> rounded(loop.kvUsage(rank)));
        gauge(out, "gen_throughput", rank -> rounded(metrics.get(rank).throughput()));
        gauge(out, "cache_hit_rate", rank -> rounded(metrics.get(rank).hitRate()));
        gauge(out, "utilization", rank -> 0);
        gauge(out, "max_running_requests", rank -> profile.maxNumSeqs());
        return out.toString();
    }

    private void gauge(StringBuilder out, String name, IntToDoubleFunction value) {
        out.append("# TYPE sglang_").append(name).append(" gauge\n");
        for (int rank = 0; rank < loop.ranks(); rank++) {
            out.append("sglang_")
                    .append(name)
                    .append("{dp_rank=\"")
                    .append(rank)
                    .append("\"} ");
            SampleNumber.append(out, value.applyAsDouble(rank));
            out.append('\n');
        }
    }

    private long usedTokens(int rank) {
        return Math.round(loop.kvUsage(rank) * maxTotalTokens());
    }

    private long maxTotalTokens() {
        return (long) profile.kvBlocks() * Profile.BLOCK_TOKENS;
    }

    private static double rounded(double value) {
        return Math.rint(value * 1e4) / 1e4;
    }
}
