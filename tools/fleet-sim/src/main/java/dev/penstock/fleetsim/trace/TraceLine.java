package dev.penstock.fleetsim.trace;

/** One line of a trace and where it stands. */
record TraceLine(String file, long number, String text) {
    /** More than any engine takes: a larger count is a mistake in the file. */
    private static final int MOST_TOKENS = 10_000_000;

    private static final int QUOTED = 60;

    TraceException unexpected(String field, String value, String expected) {
        String shown = value.length() <= QUOTED ? value : value.substring(0, QUOTED) + "...";
        return new TraceException(
                file + ", line " + number + ": " + field + ": expected " + expected + ", got '" + shown + "'");
    }

    /** A number of tokens. */
    int tokens(String field, String value) {
        int tokens;
        try {
            tokens = Integer.parseInt(value.strip());
        } catch (NumberFormatException e) {
            tokens = -1;
        }
        if (tokens >= 1 && tokens <= MOST_TOKENS) return tokens;
        throw unexpected(field, value, "a whole number from 1 to " + MOST_TOKENS);
    }

    /** The cells of a line of comma-separated values, without quoting, of which there must be as many as columns. */
    String[] cells(String[] columns) {
        String[] cells = text.split(",", -1);
        if (cells.length == columns.length) return cells;
        throw unexpected("line", text, columns.length + " fields (" + String.join(",", columns) + ")");
    }
}
