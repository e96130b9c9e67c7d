package dev.penstock.router.body;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.core.prefix.PrefixChain;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a request body says of where it would rather go: the beginning of its prompt, and fields that may name its session.
 * Belongs to a {@link BodyPeek}, and is used again with it.
 */
public final class BodyFacts {
    private final PromptText prompt = new PromptText();
    private final ToolsSum tools = new ToolsSum();
    private final PrefixChain chain = new PrefixChain();
    /** The fields' names as they were last given, and taken apart. */
    private Set<String> named = Set.of();

    private String[] fields = {};
    private byte[][] keys = {};
    private @Nullable String[] values = {};
    private @Nullable String cacheSalt;

    void start(Set<String> sessionFields) {
        clear();
        // The same set for thousands of requests.
        if (sessionFields == named) return;
        fields = sessionFields.toArray(String[]::new);
        keys = new byte[fields.length][];
        for (int i = 0; i < fields.length; i++) keys[i] = fields[i].getBytes(UTF_8);
        values = new String[fields.length];
        named = sessionFields;
    }

    /** Lets go of all that is a request's: bodies are counted while they are held, and this buffer lives on. */
    public void clear() {
        prompt.clear();
        tools.clear();
        Arrays.fill(values, null);
        cacheSalt = null;
    }

    PromptText prompt() {
        return prompt;
    }

    ToolsSum tools() {
        return tools;
    }

    void cacheSalt(@Nullable String salt) {
        cacheSalt = salt;
    }

    /** Which session field a key is, or -1. */
    int indexOf(TextBuffer key) {
        for (int i = 0; i < keys.length; i++) if (key.is(keys[i])) return i;
        return -1;
    }

    /** An empty one names nothing. */
    void field(int index, @Nullable String value) {
        values[index] = value == null || value.isEmpty() ? null : value;
    }

    /** The text that a field had, or null. */
    public @Nullable String field(String name) {
        for (int i = 0; i < fields.length; i++) if (fields[i].equals(name)) return values[i];
        return null;
    }

    /** True while it has something of a request. */
    public boolean holds() {
        for (String value : values) if (value != null) return true;
        return cacheSalt != null || tools.present() || prompt.text().length() > 0;
    }

    /** Bytes of the prompt, as far as prefixes are hashed. */
    public int promptBytes() {
        return prompt.text().length();
    }

    /**
     * The prompt's prefixes; to be used before the next time it is asked.
     *
     * @param exact without the tools: as engines tell prefixes
     */
    public PrefixChain prefixes(String model, boolean exact) {
        chain.start(PrefixChain.seed(model, exact ? cacheSalt : salt()));
        prompt.addTo(chain);
        return chain;
    }

    private @Nullable String salt() {
        if (!tools.present()) return cacheSalt;
        String sum = Long.toHexString(tools.value());
        return cacheSalt == null ? sum : cacheSalt + '\0' + sum;
    }
}
