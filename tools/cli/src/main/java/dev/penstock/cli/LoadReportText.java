package dev.penstock.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.penstock.cli.load.LaneReport;
import dev.penstock.cli.load.LoadReport;
import dev.penstock.cli.load.Percentiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Function;

/** A finished load, for people and for programs. */
final class LoadReportText {
    private final LoadReport report;

    LoadReportText(LoadReport report) {
        this.report = report;
    }

    String table() {
        StringBuilder text = new StringBuilder(counts("routed", report.routed()));
        if (report.direct() != null) text.append(counts("direct", report.direct()));
        text.append('\n').append(times());
        if (!report.routed().perReplica().isEmpty()) text.append('\n').append(replicas());
        return text.toString();
    }

    ObjectNode json() {
        ObjectNode json = lane(report.routed());
        if (report.direct() != null) json.set("direct", lane(report.direct()));
        return json;
    }

    private static String counts(String name, LaneReport lane) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT, "%s: %d sent, %d ok, %.1f complete answers/s", name, lane.sent(), lane.ok(), lane.rps()));
        if (lane.failed()) {
            text.append("; errors:");
            new TreeMap<>(lane.errors())
                    .forEach((kind, count) ->
                            text.append(' ').append(kind).append(' ').append(count));
        }
        return text.append('\n').toString();
    }

    private String times() {
        TextTable table = report.direct() == null
                ? new TextTable("MS", ">P50", ">P90", ">P99")
                : new TextTable("MS", ">ROUTED P50", ">P90", ">P99", ">DIRECT P50", ">P90", ">P99");
        addTimes(table, "TTFT", LaneReport::ttftMs);
        addTimes(table, "latency", LaneReport::latencyMs);
        addTimes(table, "inter-token", LaneReport::interTokenMs);
        return table.render();
    }

    private void addTimes(TextTable table, String name, Function<LaneReport, Percentiles> figure) {
        List<String> cells = new ArrayList<>(List.of(name));
        addCells(cells, figure.apply(report.routed()));
        if (report.direct() != null) addCells(cells, figure.apply(report.direct()));
        table.row(cells.toArray(String[]::new));
    }

    private static void addCells(List<String> cells, Percentiles millis) {
        for (double value : new double[] {millis.p50(), millis.p90(), millis.p99()}) {
            cells.add(Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value));
        }
    }

    private String replicas() {
        TextTable table = new TextTable("REPLICA", ">ANSWERS", ">SHARE");
        long total = report.routed().perReplica().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        new TreeMap<>(report.routed().perReplica())
                .forEach((name, count) -> table.row(
                        name, String.valueOf(count), String.format(Locale.ROOT, "%.1f%%", 100.0 * count / total)));
        return table.render();
    }

    private static ObjectNode lane(LaneReport lane) {
        ObjectNode json =
                Json.MAPPER.createObjectNode().put("sent", lane.sent()).put("ok", lane.ok());
        ObjectNode errors = json.putObject("errors");
        new TreeMap<>(lane.errors()).forEach(errors::put);
        json.put("rps", Math.round(lane.rps() * 1000) / 1000.0);
        json.set("ttftMs", millis(lane.ttftMs()));
        json.set("latencyMs", millis(lane.latencyMs()));
        json.set("interTokenMs", millis(lane.interTokenMs()));
        ObjectNode perReplica = json.putObject("perReplica");
        new TreeMap<>(lane.perReplica()).forEach(perReplica::put);
        ObjectNode statuses = json.putObject("statuses");
        new TreeMap<>(lane.statuses()).forEach((code, count) -> statuses.put(code.toString(), count));
        return json;
    }

    private static ObjectNode millis(Percentiles millis) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        put(json, "p50", millis.p50());
        put(json, "p90", millis.p90());
        put(json, "p99", millis.p99());
        return json;
    }

    private static void put(ObjectNode json, String name, double value) {
        if (Double.isNaN(value)) json.putNull(name);
        else json.put(name, value);
    }
}
