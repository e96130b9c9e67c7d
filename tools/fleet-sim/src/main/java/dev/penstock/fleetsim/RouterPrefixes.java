package dev.penstock.fleetsim;

import dev.penstock.core.prefix.PrefixChain;
import dev.penstock.core.prefix.PrefixMatch;
import dev.penstock.core.prefix.PrefixTable;

/** What one router knows of caches: the production table, told by its own sends and by the others' news. */
final class RouterPrefixes {
    private static final long SEED = PrefixChain.seed(Replicas.MODEL, null);

    private final PrefixTable table;
    private final PrefixChain chain = new PrefixChain();
    private final PrefixMatch match = new PrefixMatch();
    private PrefixNews news = new PrefixNews();

    RouterPrefixes(Scene.Prefixes setup) {
        this.table = new PrefixTable(setup.tableBlocks(), setup.ttlNanos());
    }

    /** Who has the beginning of this prompt, to be asked about next. */
    void look(Demand demand, long nowNanos) {
        demand.blocks().chain(chain, SEED);
        table.find(chain, nowNanos, match);
    }

    PrefixMatch match() {
        return match;
    }

    PrefixChain chain() {
        return chain;
    }

    /** Tokens that the best owner has of a prompt. */
    int knownTokens(Demand demand, long nowNanos) {
        demand.blocks().chain(chain, SEED);
        return PromptBlocks.tokensOf(table.find(chain, nowNanos, match));
    }

    /** The prompt that was looked at went there. */
    void sent(int number, long nowNanos) {
        long which = table.learn(chain, number, nowNanos);
        for (int i = 0; i < chain.blocks(); i++) if ((which >>> i & 1) != 0) news.add(chain.hash(i), number);
    }

    /** What is to be published, each once. */
    PrefixNews takeNews() {
        PrefixNews taken = news;
        news = new PrefixNews();
        return taken;
    }

    void receive(PrefixNews told, long nowNanos) {
        for (int i = 0; i < told.size(); i++) table.learn(told.hash(i), told.number(i), nowNanos);
    }
}
