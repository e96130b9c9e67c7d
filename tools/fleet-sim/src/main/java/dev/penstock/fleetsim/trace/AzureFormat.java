package dev.penstock.fleetsim.trace;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;

/** The Azure Public Dataset's LLM inference traces: {@code 2023-11-16 18:15:46.6805900,374,44}. */
final class AzureFormat implements TraceFormat {
    static final String HEADER = "TIMESTAMP,ContextTokens,GeneratedTokens";

    private static final String[] COLUMNS = HEADER.split(",");

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
                null,
                null,
                List.of());
    }

    private static long nanos(TraceLine line, String value) {
        try {
            LocalDateTime time = LocalDateTime.parse(value.strip().replace(' ', 'T'));
            return Math.addExact(
                    Math.multiplyExact(time.toEpochSecond(ZoneOffset.UTC), 1_000_000_000L), time.getNano());
        } catch (DateTimeException | ArithmeticException e) {
            throw line.unexpected(COLUMNS[0], value, "a time such as 2023-11-16 18:15:46.6805900");
        }
    }
}
