package dev.penstock.fleetsim;

import dev.penstock.report.Estimate;
import dev.penstock.report.Report;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A report as an SVG: per figure one bar for each policy with its confidence interval, and a line at the limit. What is below
 * zero has no length.
 */
public final class SimChart {
    private static final int WIDTH = 900;
    private static final int LEFT = 130;
    private static final int RIGHT = 130;
    private static final int ROW = 26;
    private static final int HEAD = 64;
    private static final int FIGURE_HEAD = 46;

    private final Report report;
    private final StringBuilder svg = new StringBuilder();

    private SimChart(Report report) {
        this.report = report;
    }

    public static String svg(Report report) {
        return new SimChart(report).draw();
    }

    private String draw() {
        int policies = 1 + report.baselines().size();
        int height = HEAD + report.figures().size() * (FIGURE_HEAD + policies * ROW) + 16;
        svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                .formatted(WIDTH, height, WIDTH, height));
        svg.append(" font-family=\"sans-serif\" font-size=\"13\">\n");
        svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
        text(16, 26, "start", "#1a1a1a", "penstock sim " + report.name());
        text(16, 46, "start", "#666666", report.about() + "; seeds: " + report.seeds());
        int top = HEAD;
        for (String figure : report.figures().keySet()) {
            figure(figure, top);
            top += FIGURE_HEAD + policies * ROW;
        }
        return svg.append("</svg>\n").toString();
    }

    private void figure(String figure, int top) {
        Map<String, Estimate> rows = rows(figure);
        Double limit = limit(figure);
        double most = limit == null ? 0 : limit;
        for (Estimate each : rows.values()) most = Math.max(most, each.mean() + each.ci95());
        double scale = most == 0 ? 0 : (WIDTH - LEFT - RIGHT) / most;
        text(16, top + 24, "start", "#1a1a1a", figure + (limit == null ? "" : limitText(figure, limit)));
        int y = top + FIGURE_HEAD - 10;
        for (Map.Entry<String, Estimate> row : rows.entrySet()) {
            row(row.getKey(), row.getValue(), y, scale);
            y += ROW;
        }
        if (limit != null) line(LEFT + limit * scale, top + FIGURE_HEAD - 14, LEFT + limit * scale, y, "#c62828");
    }

    private void row(String policy, Estimate estimate, int y, double scale) {
        double length = Math.max(1, estimate.mean() * scale);
        String fill = policy.equals(Policy.PENSTOCK.key()) ? "#1565c0" : "#b0bec5";
        text(LEFT - 8, y + 15, "end", "#1a1a1a", policy);
        svg.append(String.format(
                Locale.ROOT,
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n",
                LEFT,
                y,
                length,
                ROW - 6,
                fill));
        double low = LEFT + Math.max(0, estimate.mean() - estimate.ci95()) * scale;
        double high = LEFT + Math.max(0, estimate.mean() + estimate.ci95()) * scale;
        line(low, y + 10, high, y + 10, "#1a1a1a");
        String value = number(estimate.mean()) + " ± " + number(estimate.ci95());
        text((int) Math.max(LEFT + length, high) + 6, y + 15, "start", "#1a1a1a", value);
    }

    private Map<String, Estimate> rows(String figure) {
        Map<String, Estimate> rows = new LinkedHashMap<>();
        put(rows, Policy.PENSTOCK.key(), report.figures().get(figure));
        report.baselines().forEach((policy, figures) -> put(rows, policy, figures.get(figure)));
        return rows;
    }

    private static void put(Map<String, Estimate> rows, String policy, @Nullable Estimate estimate) {
        if (estimate != null) rows.put(policy, estimate);
    }

    private String limitText(String figure, double limit) {
        boolean least = report.bars().stream()
                .anyMatch(bar -> bar.figure().equals(figure) && bar.op().equals(">="));
        return " (limit " + (least ? "≥ " : "≤ ") + number(limit) + ")";
    }

    private @Nullable Double limit(String figure) {
        for (Report.Bar bar : report.bars()) if (bar.figure().equals(figure)) return bar.limit();
        return null;
    }

    private void text(int x, int y, String anchor, String fill, String text) {
        svg.append("<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" fill=\"%s\">%s</text>\n"
                .formatted(x, y, anchor, fill, text));
    }

    private void line(double x1, double y1, double x2, double y2, String stroke) {
        svg.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"1.5\"/>%n",
                x1,
                y1,
                x2,
                y2,
                stroke));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
