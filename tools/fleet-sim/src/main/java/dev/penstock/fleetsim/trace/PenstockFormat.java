package dev.penstock.fleetsim.trace;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Our own: {@code 12.5,1155,211,session-7,sim/llama-3-8b}; arrival in seconds, session and model may be empty. */
final class PenstockFormat implements TraceFormat {
    static final String HEADER = "arrival,prompt_tokens,output_tokens,session,model";

    private static final String[] COLUMNS = HEADER.split(",");
    /** A hundred years. */
    private static final double MOST_SECONDS = 3_155_760_000.0;

    @Override
    public String timeField() {
        return COLUMNS[0];
    }

    @Override
    public TraceRequest parse(TraceLine line) {
        String[] cells = line.cells(COLUMNS);
        return new TraceRequest(
                nanos(line, cells[0]),
                line.tokens(COLUMNS[1], cells[1]),
                line.tokens(COLUMNS[2], cells[2]),
                textOrNull(cells[3]),
                textOrNull(cells[4]),
                List.of());
    }

    private static long nanos(TraceLine line, String value) {
        double seconds;
        try {
            seconds = Double.parseDouble(value);
        } catch (NumberFormatException e) {
            seconds = Double.NaN;
        }
        if (seconds >= 0 && seconds <= MOST_SECONDS) return Math.round(seconds * 1e9);
        throw line.unexpected(COLUMNS[0], value, "seconds, 0 or more");
    }

    private static @Nullable String textOrNull(String cell) {
        return cell.isBlank() ? null : cell.strip();
    }
}
