package dev.penstock.cli.load;

import java.util.Map;

/** What came of a lane. {@code rps} is of complete answers, from the first scheduled time to the last end. */
public record LaneReport(
        long sent,
        long ok,
        Map<String, Long> errors,
        double rps,
        Percentiles ttftMs,
        Percentiles latencyMs,
        Percentiles interTokenMs,
        Map<String, Long> perReplica,
        Map<Integer, Long> statuses) {

    public boolean failed() {
        return !errors.isEmpty();
    }
}
