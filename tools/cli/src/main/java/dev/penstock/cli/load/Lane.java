package dev.penstock.cli.load;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Addresses used in turn, and what came of the requests to them. Event-loop only. */
final class Lane {
    private final List<RequestOptions> targets;
    private final Histogram ttft = histogram();
    private final Histogram latency = histogram();
    private final Histogram interToken = histogram();
    private final Map<String, Long> errors = new TreeMap<>();
    private final Map<String, Long> perReplica = new TreeMap<>();
    private final Map<Integer, Long> statuses = new TreeMap<>();
    private int turn;
    private long sent;
    private long ok;
    private long failed;
    private long lastEndNanos;

    Lane(List<String> urls) {
        targets = urls.stream().map(Lane::target).toList();
    }

    private static RequestOptions target(String url) {
        String base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        return new RequestOptions().setMethod(HttpMethod.POST).setAbsoluteURI(base + "/v1/chat/completions");
    }

    /** Where a request begins; from there it goes on by itself, whatever other requests do meanwhile. */
    int nextTurn() {
        int mine = turn;
        turn = (turn + 1) % targets.size();
        return mine;
    }

    RequestOptions target(int turn) {
        return targets.get(turn % targets.size());
    }

    int targetCount() {
        return targets.size();
    }

    void sent() {
        sent++;
    }

    void answered(int status, @Nullable String replica) {
        statuses.merge(status, 1L, Long::sum);
        if (replica != null) perReplica.merge(replica, 1L, Long::sum);
    }

    void gap(long nanos) {
        record(interToken, nanos);
    }

    void succeeded(long ttftNanos, long latencyNanos, long endNanos) {
        ok++;
        lastEndNanos = endNanos;
        if (ttftNanos >= 0) record(ttft, ttftNanos);
        record(latency, latencyNanos);
    }

    void failed(String kind) {
        failed++;
        errors.merge(kind, 1L, Long::sum);
    }

    long sentCount() {
        return sent;
    }

    long okCount() {
        return ok;
    }

    long failedCount() {
        return failed;
    }

    LaneReport report(long startNanos, long durationNanos) {
        long span = ok == 0 ? durationNanos : Math.max(durationNanos, lastEndNanos - startNanos);
        return new LaneReport(
                sent,
                ok,
                Map.copyOf(errors),
                ok / (span / 1e9),
                Percentiles.ofMicros(ttft),
                Percentiles.ofMicros(latency),
                Percentiles.ofMicros(interToken),
                Map.copyOf(perReplica),
                Map.copyOf(statuses));
    }

    private static Histogram histogram() {
        Histogram histogram = new Histogram(3);
        histogram.setAutoResize(true);
        return histogram;
    }

    private static void record(Histogram histogram, long nanos) {
        histogram.recordValue(Math.max(0, TimeUnit.NANOSECONDS.toMicros(nanos)));
    }
}
