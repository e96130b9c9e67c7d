package dev.penstock.cli;

import dev.penstock.report.Estimate;
import dev.penstock.report.Report;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A report for people: figures by policy, then the bars. */
final class ReportText {
    private static final int MOST_COLUMNS = 8;

    private ReportText() {}

    /** @param legend says what stands in a cell */
    static String of(Report report, String legend) {
        return report.name() + ": " + report.about() + "\n" + legend + "\n\n" + figures(report) + "\n" + bars(report)
                + "\n" + (report.ok() ? "All bars hold." : "A bar is missed.") + " Again: " + report.command() + "\n";
    }

    private static String figures(Report report) {
        List<String> names = List.copyOf(report.figures().keySet());
        if (names.size() > MOST_COLUMNS) return down(report, names);
        String[] headers = new String[names.size() + 1];
        headers[0] = "policy";
        for (int i = 0; i < names.size(); i++) headers[i + 1] = ">" + names.get(i);
        TextTable table = new TextTable(headers).row(row("penstock", names, report.figures()));
        report.baselines().forEach((policy, figures) -> table.row(row(policy, names, figures)));
        return table.render();
    }

    /** A row per figure: more than fit side by side. */
    private static String down(Report report, List<String> names) {
        List<String> policies = List.copyOf(report.baselines().keySet());
        String[] headers = new String[policies.size() + 2];
        headers[0] = "figure";
        headers[1] = ">penstock";
        for (int i = 0; i < policies.size(); i++) headers[i + 2] = ">" + policies.get(i);
        TextTable table = new TextTable(headers);
        for (String name : names) {
            String[] row = new String[headers.length];
            row[0] = name;
            row[1] = cell(report.figures().get(name));
            for (int i = 0; i < policies.size(); i++) {
                row[i + 2] = cell(report.baselines()
                        .getOrDefault(policies.get(i), Map.of())
                        .get(name));
            }
            table.row(row);
        }
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
                    bar.measured() ? number(bar.value()) : "n/a",
                    !bar.measured() ? "not judged" : bar.ok() ? "holds" : "MISSED",
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
