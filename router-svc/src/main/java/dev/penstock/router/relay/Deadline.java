package dev.penstock.router.relay;

import io.netty.util.AsciiString;
import io.vertx.core.MultiMap;
import org.jspecify.annotations.Nullable;

/**
 * How long a whole request may take: the least of what the operator says for its model, what the client says in
 * {@code x-request-timeout-ms}, and, where no stream was asked for, after what time its SDK gives up (a stream's SDK bounds
 * silence by it, not the whole).
 */
final class Deadline {
    private static final AsciiString MILLIS = AsciiString.cached("x-request-timeout-ms");
    private static final AsciiString NODE_SECONDS = AsciiString.cached("x-stainless-timeout");
    private static final AsciiString PYTHON_SECONDS = AsciiString.cached("x-stainless-read-timeout");
    private static final long NANOS_PER_MILLI = 1_000_000;
    /** A year: what is longer is none. */
    private static final double MOST_MILLIS = 365.0 * 86_400_000;

    private Deadline() {}

    /**
     * In nanoseconds from the request's start, 0 = none.
     *
     * @param policyMillis 0 = none
     */
    static long of(MultiMap headers, long policyMillis, boolean stream) {
        double least = policyMillis > 0 ? policyMillis : Double.MAX_VALUE;
        least = Math.min(least, given(headers.get(MILLIS), 1));
        if (!stream) {
            least = Math.min(least, given(headers.get(NODE_SECONDS), 1_000));
            least = Math.min(least, given(headers.get(PYTHON_SECONDS), 1_000));
        }
        return least > MOST_MILLIS ? 0 : Math.max(1, (long) (least * NANOS_PER_MILLI));
    }

    /** What is no positive number says nothing. */
    private static double given(@Nullable String text, double millis) {
        if (text == null) return Double.MAX_VALUE;
        try {
            double value = Double.parseDouble(text);
            return value > 0 ? value * millis : Double.MAX_VALUE;
        } catch (NumberFormatException e) {
            return Double.MAX_VALUE;
        }
    }
}
