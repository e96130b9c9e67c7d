package dev.penstock.fleetsim.trace;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads a trace request by request, in one pass and in bounded memory; the format is recognised by the header or, of JSON
 * lines, by the keys. Formats: Azure's and our own comma-separated values, and Mooncake's JSON lines. For one thread.
 */
public final class TraceReader implements AutoCloseable {
    private final TraceLines lines;
    private final TraceFormat format;
    private @Nullable TraceLine ahead;
    private long originNanos;
    private long lastNanos = -1;

    /** @throws TraceException when the first line is of none of the formats */
    public static TraceReader open(Path file) throws IOException {
        TraceLines lines = new TraceLines(file);
        try {
            return new TraceReader(lines);
        } catch (IOException | RuntimeException e) {
            lines.close();
            throw e;
        }
    }

    private TraceReader(TraceLines lines) throws IOException {
        this.lines = lines;
        TraceLine first = lines.next();
        if (first == null) {
            throw new TraceException(lines.file() + ": expected a trace, got an empty file");
        }
        this.format = format(first);
        this.ahead = format instanceof MooncakeFormat ? first : null;
    }

    private static TraceFormat format(TraceLine first) {
        if (first.text().equals(AzureFormat.HEADER)) return new AzureFormat();
        if (first.text().equals(PenstockFormat.HEADER)) return new PenstockFormat();
        if (first.text().startsWith("{")) return new MooncakeFormat();
        throw first.unexpected(
                "header",
                first.text(),
                AzureFormat.HEADER + " or " + PenstockFormat.HEADER
                        + " or a JSON object with timestamp, input_length and output_length");
    }

    /**
     * The next request, or null at the end.
     *
     * @throws TraceException when the line is none, or is earlier than the one before
     */
    public @Nullable TraceRequest next() throws IOException {
        TraceLine line = ahead != null ? ahead : lines.next();
        ahead = null;
        if (line == null) return null;
        TraceRequest request = format.parse(line);
        if (lastNanos < 0) originNanos = request.atNanos();
        long atNanos = request.atNanos() - originNanos;
        if (atNanos < Math.max(0, lastNanos)) {
            throw line.unexpected(format.timeField(), line.text(), "a time not before the line before");
        }
        lastNanos = atNanos;
        return new TraceRequest(
                atNanos,
                request.promptTokens(),
                request.outputTokens(),
                request.session(),
                request.model(),
                request.promptBlocks());
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
