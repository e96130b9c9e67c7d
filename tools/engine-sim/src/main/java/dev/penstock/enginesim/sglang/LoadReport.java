package dev.penstock.enginesim.sglang;

import dev.penstock.enginesim.engine.StepLoop;
import dev.penstock.enginesim.metrics.SampleNumber;
import dev.penstock.enginesim.metrics.SglangMetrics;
import dev.penstock.enginesim.step.Profile;
import java.time.InstantSource;

/**
 * {@code /v1/loads}: the scheduler's own numbers, fresh, as JSON or as a page. One rank; the sections beyond {@code core}
 * are empty.
 */
final class LoadReport {
    private final StepLoop loop;
    private final SglangMetrics metrics;
    private final Profile profile;
    private final InstantSource wallClock;

    LoadReport(StepLoop loop, SglangMetrics metrics, Profile profile, InstantSource wallClock) {
        this.loop = loop;
        this.metrics = metrics;
        this.profile = profile;
        this.wallClock = wallClock;
    }

    String json() {
        int running = loop.running();
        int waiting = loop.waiting();
        double usage = loop.kvUsage();
        StringBuilder out = new StringBuilder(640)
                .append("{\"timestamp\":\"")
                .append(wallClock.instant())
                .append("\",\"version\":\"")
                .append(SglangFront.VERSION)
                .append("\",\"dp_rank_count\":1,\"loads\":[{\"dp_rank\":0,\"num_running_reqs\":")
                .append(running)
                .append(",\"num_waiting_reqs\":")
                .append(waiting)
                .append(",\"num_total_reqs\":")
                .append(running + waiting)
                .append(",\"num_used_tokens\":")
                .append(usedTokens())
                .append(",\"max_total_num_tokens\":")
                .append(maxTotalTokens())
                .append(",\"token_usage\":")
                .append(rounded(usage))
                .append(",\"gen_throughput\":")
                .append(rounded(metrics.throughput()))
                .append(",\"cache_hit_rate\":")
                .append(rounded(metrics.hitRate()))
                .append(",\"utilization\":0.0,\"max_running_requests\":")
                .append(profile.maxNumSeqs());
        return out.append("}],\"aggregate\":{\"total_running_reqs\":")
                .append(running)
                .append(",\"total_waiting_reqs\":")
                .append(waiting)
                .append(",\"total_reqs\":")
                .append(running + waiting)
                .append(",\"avg_token_usage\":")
                .append(rounded(usage))
                .append(",\"avg_throughput\":")
                .append(rounded(metrics.throughput()))
                .append(",\"avg_utilization\":0.0}}")
                .toString();
    }

    /** Names with an underscore instead of the colon, and no model name. */
    String page() {
        StringBuilder out = new StringBuilder(1024);
        gauge(out, "num_running_reqs", loop.running());
        gauge(out, "num_waiting_reqs", loop.waiting());
        gauge(out, "num_total_reqs", loop.running() + loop.waiting());
        gauge(out, "num_used_tokens", usedTokens());
        gauge(out, "max_total_num_tokens", maxTotalTokens());
        gauge(out, "token_usage", rounded(loop.kvUsage()));
        gauge(out, "gen_throughput", rounded(metrics.throughput()));
        gauge(out, "cache_hit_rate", rounded(metrics.hitRate()));
        gauge(out, "utilization", 0);
        gauge(out, "max_running_requests", profile.maxNumSeqs());
        return out.toString();
    }

    private static void gauge(StringBuilder out, String name, double value) {
        out.append("# TYPE sglang_")
                .append(name)
                .append(" gauge\nsglang_")
                .append(name)
                .append("{dp_rank=\"0\"} ");
        SampleNumber.append(out, value);
        out.append('\n');
    }

    private long usedTokens() {
        return Math.round(loop.kvUsage() * maxTotalTokens());
    }

    private long maxTotalTokens() {
        return (long) profile.kvBlocks() * Profile.BLOCK_TOKENS;
    }

    private static double rounded(double value) {
        return Math.rint(value * 1e4) / 1e4;
    }
}
