package dev.penstock.enginesim.openai;

import org.jspecify.annotations.Nullable;

/** The events of one stream, as text ready to send. Which come when is the business of {@link StreamedAnswer}. */
public interface StreamEvents {
    String DONE = "data: [DONE]\n\n";

    /** What opens a choice, together with its first token; nothing in completions. */
    @Nullable
    String opening(int index);

    String token(int index, String text);

    /**
     * The last token of a choice, with the reason why it is the last.
     *
     * @param finishReason null: the fault {@code drop-finish}
     */
    String lastToken(int index, String text, @Nullable String finishReason);

    /** @param cachedTokens of the prompts; 0 = not told */
    String usage(int promptTokens, int outputTokens, int cachedTokens);
}
