package dev.penstock.router.body;

import dev.penstock.core.prefix.PrefixChain;
import java.util.Arrays;

/**
 * The canonical prompt of a request body: the text of {@code prompt}, {@code input}, {@code system}, {@code instructions}, {@code
 * query} and all messages, in their order and without their roles, as UTF-8; token ids are four bytes each. No more of it is kept
 * than prefixes are hashed of. Images and what else is no text say nothing.
 */
final class PromptText {
    private final TextBuffer text =
            new TextBuffer(PrefixChain.bytesOf(PrefixChain.MAX_BLOCKS), TextBuffer.Lone.QUESTION_MARK);
    /** Where each field's text is, by its ordinal. */
    private final int[] from = new int[BodyField.values().length];

    private final int[] to = new int[BodyField.values().length];

    void clear() {
        text.clear();
        Arrays.fill(from, 0);
        Arrays.fill(to, 0);
    }

    TextBuffer text() {
        return text;
    }

    /** A field begins; what it said before in this body does not count. */
    void begin(BodyField field) {
        int i = field.ordinal();
        int start = from[i];
        int length = to[i] - start;
        if (length > 0) {
            text.remove(start, to[i]);
            for (int each = 0; each < from.length; each++) {
                if (from[each] > start) {
                    from[each] -= length;
                    to[each] -= length;
                }
            }
        }
        from[i] = text.length();
        to[i] = text.length();
    }

    void end(BodyField field) {
        to[field.ordinal()] = text.length();
    }

    /** One that is no token id is for the engine to refuse. */
    void token(long id) {
        if (id != (int) id) return;
        for (int shift = 24; shift >= 0; shift -= 8) text.put((int) id >>> shift);
    }

    void addTo(PrefixChain chain) {
        chain.add(text.bytes(), 0, text.length());
    }
}
