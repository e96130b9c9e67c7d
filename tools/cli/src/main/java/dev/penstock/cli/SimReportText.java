package dev.penstock.cli;

import dev.penstock.fleetsim.Estimate;
import dev.penstock.fleetsim.SimReport;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A simulation's report for people: figures by policy, then the bars. */
final class SimReportText {
    private SimReportText() {}

    static String of(SimReport report) {
        return report.name() + ": " + report.about() + "\nMean ± half of the 95 % confidence interval, seeds: "
                + report.seeds() + "\n\n" + figures(report) + "\n" + bars(report) + "\n"
                + (report.ok() ? "All bars hold." : "A bar is missed.") + " Again: " + report.command() + "\n";
    }

    private static String figures(SimReport report) {
        List<String> names = List.copyOf(report.figures().keySet());
        String[] headers = new String[names.size() + 1];
        headers[0] = "policy";
        for (int i = 0; i < names.size(); i++) headers[i + 1] = ">" + names.get(i);
        TextTable table = new TextTable(headers).row(row("penstock", names, report.figures()));
        report.baselines().forEach((policy, figures) -> table.row(row(policy, names, figures)));
        return table.render();
    }

    private static String[] row(String policy, List<String> names, Map<String, Estimate> figures) {
        String[] row = new String[names.size() + 1];
        row[0] = policy;
        for (int i = 0; i < names.size(); i++) row[i + 1] = cell(figures.get(names.get(i)));
        return row;
    }

    private static String cell(@Nullable Estimate estimate) {
        return estimate == null ? "-" : number(estimate.mean()) + " ± " + number(estimate.ci95());
    }

    private static String bars(SimReport report) {
        TextTable table = new TextTable("bar", ">value", "", "baseline", ">value", "");
        for (SimReport.Bar bar : report.bars()) {
            Double other = bar.baselineValue();
            table.row(
                    bar.figure() + " " + bar.op() + " " + bar.limit(),
                    number(bar.value()),
                    bar.ok() ? "holds" : "MISSED",
                    bar.baseline() == null ? "-" : bar.baseline(),
                    other == null ? "" : number(other),
                    bar.baselineMisses() == null ? "" : bar.baselineMisses() ? "misses, as it must" : "HOLDS TOO");
        }
        return table.render();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
