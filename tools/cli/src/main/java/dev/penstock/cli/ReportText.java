package dev.penstock.cli;

import dev.penstock.report.Estimate;
import dev.penstock.report.Report;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A report for people: figures by policy, then the bars. */
final class ReportText {
    private ReportText() {}

    /** @param legend says what stands in a cell */
    static String of(Report report, String legend) {
        return report.name() + ": " + report.about() + "\n" + legend + "\n\n" + figures(report) + "\n" + bars(report)
                + "\n" + (report.ok() ? "All bars hold." : "A bar is missed.") + " Again: " + report.command() + "\n";
    }

    private static String figures(Report report) {
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

    private static String bars(Report report) {
        TextTable table = new TextTable("bar", ">value", "", "baseline", ">value", "");
        for (Report.Bar bar : report.bars()) {
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
