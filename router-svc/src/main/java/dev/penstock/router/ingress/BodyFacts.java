package dev.penstock.router.ingress;

import dev.penstock.core.prefix.PrefixChain;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a request body says of where it would rather go: the beginning of its prompt, and fields that may name its session. A
 * buffer that an event loop uses again for each request.
 */
public final class BodyFacts {
    /** Fields that one body is asked for, of all models together. */
    private static final int MOST_FIELDS = 16;

    private final PromptText prompt = new PromptText();
    private final PrefixChain chain = new PrefixChain();
    private final CRC32C crc = new CRC32C();
    private final String[] fields = new String[MOST_FIELDS];
    private final @Nullable String[] values = new String[MOST_FIELDS];
    private int named;
    private @Nullable String cacheSalt;
    private byte @Nullable [] body;
    private int toolsFrom;
    private int toolsTo;

    void start(byte[] nextBody) {
        clear();
        body = nextBody;
    }

    /** Lets go of all that is a request's: bodies are counted while they are held, and this buffer lives on. */
    void clear() {
        body = null;
        prompt.clear();
        Arrays.fill(values, 0, named, null);
        named = 0;
        cacheSalt = null;
        toolsFrom = 0;
        toolsTo = 0;
    }

    PromptText prompt() {
        return prompt;
    }

    void cacheSalt(String salt) {
        cacheSalt = salt;
    }

    /** Tools come before the messages in every chat template, wherever they are in the body. */
    void tools(int from, int to) {
        toolsFrom = from;
        toolsTo = to;
    }

    void field(String name, String value) {
        if (named == MOST_FIELDS || value.isEmpty()) return;
        fields[named] = name;
        values[named++] = value;
    }

    /** The text that a field had, or null. */
    public @Nullable String field(String name) {
        for (int i = 0; i < named; i++) if (fields[i].equals(name)) return values[i];
        return null;
    }

    /** True while it has something of a request. */
    boolean holds() {
        return body != null || named > 0 || cacheSalt != null || prompt.length() > 0;
    }

    /** Bytes of the prompt, as far as prefixes are hashed. */
    public int promptBytes() {
        return prompt.length();
    }

    /**
     * The prompt's prefixes; to be used before the event loop's next request.
     *
     * @param exact without the tools: as engines tell prefixes
     */
    public PrefixChain prefixes(String model, boolean exact) {
        chain.start(PrefixChain.seed(model, exact ? cacheSalt : salt()));
        prompt.addTo(chain);
        return chain;
    }

    private @Nullable String salt() {
        byte[] bytes = body;
        if (toolsTo <= toolsFrom || bytes == null) return cacheSalt;
        crc.reset();
        crc.update(bytes, toolsFrom, toolsTo - toolsFrom);
        String tools = Long.toHexString(crc.getValue());
        return cacheSalt == null ? tools : cacheSalt + '\0' + tools;
    }
}
