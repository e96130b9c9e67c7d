package dev.penstock.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.penstock.report.Estimate;
import dev.penstock.report.Report;
import java.util.Map;

/** A report for programs; what a bar has no baseline for is left out, and what was not measured is null. */
final class ReportJson {
    private ReportJson() {}

    static ObjectNode of(Report report) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("name", report.name()).put("seeds", report.seeds()).put("ok", report.ok());
        figures(json.putObject("figures"), report.figures());
        ObjectNode baselines = json.putObject("baselines");
        report.baselines().forEach((policy, figures) -> figures(baselines.putObject(policy), figures));
        var bars = json.putArray("bars");
        for (Report.Bar bar : report.bars()) bar(bars.addObject(), bar);
        return json.put("command", report.command());
    }

    private static void figures(ObjectNode into, Map<String, Estimate> figures) {
        figures.forEach((figure, estimate) ->
                into.putObject(figure).put("mean", estimate.mean()).put("ci95", estimate.ci95()));
    }

    private static void bar(ObjectNode into, Report.Bar bar) {
        into.put("figure", bar.figure()).put("op", bar.op()).put("limit", bar.limit());
        if (!bar.measured()) {
            into.putNull("value").putNull("ok");
            return;
        }
        into.put("value", bar.value()).put("ok", bar.ok());
        if (bar.baseline() == null) return;
        into.put("baseline", bar.baseline())
                .put("baselineValue", bar.baselineValue())
                .put("baselineMisses", bar.baselineMisses());
    }
}
