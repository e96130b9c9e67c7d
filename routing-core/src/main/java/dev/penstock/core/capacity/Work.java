package dev.penstock.core.capacity;

import dev.penstock.model.Sample;

/**
 * What an engine has done since it started, summed over its ranks. A counter that the page does not have is
 * {@link Sample#UNKNOWN}. Counters fall when the engine restarts, and at no other time, but {@code computedPromptTokens}
 * by a little: where it is the difference of two counters, they need not move in one step.
 *
 * @param generatedTokens output tokens
 * @param computedPromptTokens prompt tokens that were not found in a cache
 * @param completions requests that ended: all that embeddings engines count
 * @param tokensPerSecond output tokens of lately, where the engine tells a rate and no counter; NaN = not told
 */
public record Work(long generatedTokens, long computedPromptTokens, long completions, double tokensPerSecond) {
    public static final Work UNKNOWN = new Work(Sample.UNKNOWN, Sample.UNKNOWN, Sample.UNKNOWN, Double.NaN);
}
