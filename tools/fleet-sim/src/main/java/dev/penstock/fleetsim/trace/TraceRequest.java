package dev.penstock.fleetsim.trace;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request of a trace.
 *
 * @param atNanos after the first request of the trace
 * @param session null when the trace tells none
 * @param model null when the trace tells none
 * @param promptBlocks ids of the prompt's blocks of 512 tokens, of which equal ones at the start are a shared prefix; empty
 *     when the trace tells none
 */
public record TraceRequest(
        long atNanos,
        int promptTokens,
        int outputTokens,
        @Nullable String session,
        @Nullable String model,
        List<Long> promptBlocks) {
    public TraceRequest {
        promptBlocks = List.copyOf(promptBlocks);
    }
}
