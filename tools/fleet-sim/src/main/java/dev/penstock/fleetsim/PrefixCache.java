package dev.penstock.fleetsim;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** The prompts' blocks in an engine's KV cache: the least recently used goes, of one prompt the last blocks first. */
final class PrefixCache {
    private final int mostBlocks;
    private final Map<Long, Boolean> blocks = new LinkedHashMap<>(16, 0.75f, true);

    /** @param mostBlocks 0 = no cache */
    PrefixCache(int mostBlocks) {
        this.mostBlocks = mostBlocks;
    }

    /** Tokens of a prompt that need no work: whole blocks from the first on, but never its last token. */
    int hitTokens(Demand demand) {
        if (mostBlocks == 0) return 0;
        int known = 0;
        while (known < demand.blocks().size()
                && blocks.containsKey(demand.blocks().id(known))) known++;
        return Math.min(known * PromptBlocks.TOKENS, demand.promptTokens() - 1);
    }

    void put(PromptBlocks prompt) {
        if (mostBlocks == 0) return;
        for (int i = prompt.size() - 1; i >= 0; i--) blocks.put(prompt.id(i), true);
        Iterator<Long> oldest = blocks.keySet().iterator();
        for (int over = blocks.size() - mostBlocks; over > 0; over--) {
            oldest.next();
            oldest.remove();
        }
    }
}
