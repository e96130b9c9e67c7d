package dev.penstock.enginesim.step;

import org.jspecify.annotations.Nullable;

/**
 * What prompts have to have in common, besides tokens, to share cached blocks.
 *
 * @param salt a number of all of it: prompts of different salts share nothing
 * @param adapter name of the adapter that was asked for, or null = the model itself
 * @param cacheSalt of the request, or null
 * @param keepsTokens whether the ids of the prompt's tokens are kept, which only KV events need
 */
public record PromptKey(
        long salt, @Nullable String adapter, @Nullable String cacheSalt, boolean keepsTokens) {
    public static PromptKey of(long salt) {
        return new PromptKey(salt, null, null, false);
    }
}
