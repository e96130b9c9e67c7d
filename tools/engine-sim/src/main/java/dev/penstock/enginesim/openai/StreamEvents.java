package dev.penstock.enginesim.openai;

import org.jspecify.annotations.Nullable;

/** The events of one stream, as text ready to send. Which come when is the business of {@link StreamedAnswer}. */
public interface StreamEvents {
    String DONE = "data: [DONE]\n\n";

    /**
     * What a stream amounts to.
     *
     * @param cachedTokens of the prompts; 0 = not told
     */
    record Totals(int promptTokens, int outputTokens, int cachedTokens) {}

    /** What opens the stream, with its head; nothing in most APIs. */
    default String first() {
        return "";
    }

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

    /** What comes between the last token and the end, if usage is told. */
    String usage(Totals totals);

    /** What marks the end. */
    default String done(Totals totals) {
        return DONE;
    }

    /** What is sent instead of the rest. */
    default String failed(ErrorReply reply) {
        return reply.event() + DONE;
    }

    /** The whole answer that this stream told, for APIs that keep it; null in others. Asked for after the end. */
    default @Nullable String kept() {
        return null;
    }
}
