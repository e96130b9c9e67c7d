package dev.penstock.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Columns as wide as their widest cell; those whose header begins with {@code >} are flush right. */
public final class TextTable {
    private static final String GAP = "  ";
    private final boolean[] right;
    private final List<String[]> rows = new ArrayList<>();

    public TextTable(String... headers) {
        right = new boolean[headers.length];
        String[] names = new String[headers.length];
        for (int i = 0; i < headers.length; i++) {
            right[i] = headers[i].startsWith(">");
            names[i] = right[i] ? headers[i].substring(1) : headers[i];
        }
        rows.add(names);
    }

    public TextTable row(String... cells) {
        if (cells.length != right.length) {
            throw new IllegalArgumentException("expected " + right.length + " cells, got " + Arrays.toString(cells));
        }
        rows.add(cells);
        return this;
    }

    public String render() {
        int[] widths = new int[right.length];
        for (String[] row : rows) for (int i = 0; i < row.length; i++) widths[i] = Math.max(widths[i], row[i].length());
        StringBuilder text = new StringBuilder();
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                if (i > 0) line.append(GAP);
                String padding = " ".repeat(widths[i] - row[i].length());
                line.append(right[i] ? padding + row[i] : row[i] + padding);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
