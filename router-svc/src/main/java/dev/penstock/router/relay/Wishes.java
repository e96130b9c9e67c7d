package dev.penstock.router.relay;

import dev.penstock.core.pick.Affinity;
import dev.penstock.core.pick.PickRule;
import dev.penstock.core.prefix.PrefixChain;
import dev.penstock.core.prefix.PrefixMatch;
import dev.penstock.core.prefix.PrefixTable;
import dev.penstock.core.session.SessionBook;
import dev.penstock.model.PrefixMode;
import dev.penstock.router.body.BodyFacts;
import dev.penstock.router.prefix.ModelPrefixes;
import dev.penstock.router.prefix.PrefixCounters;
import dev.penstock.router.prefix.PrefixNews;
import dev.penstock.router.session.ModelSessions;
import dev.penstock.router.session.SessionRule;
import io.vertx.core.MultiMap;

/**
 * Reads a request's wish before its first decision, and books where it went. Looks nothing up anywhere else: pins and prefixes
 * are this router's copies. One per event loop.
 */
public final class Wishes {
    private static final long[] NO_PREFIXES = {};

    private final ModelSessions sessions;
    private final SessionBook pins;
    private final ModelPrefixes modes;
    private final PrefixTable prefixes;
    private final PrefixNews news;
    private final PrefixCounters counters;
    private final PrefixMatch match = new PrefixMatch();

    public Wishes(
            ModelSessions sessions,
            SessionBook pins,
            ModelPrefixes modes,
            PrefixTable prefixes,
            PrefixNews news,
            PrefixCounters counters) {
        this.sessions = sessions;
        this.pins = pins;
        this.modes = modes;
        this.prefixes = prefixes;
        this.news = news;
        this.counters = counters;
    }

    /** To be called before the event loop's next body is read. */
    Wish of(String model, PickRule rule, MultiMap headers, BodyFacts facts, long nowNanos) {
        long session = rule.session()
                ? SessionRule.key(model, sessions.of(model), headers::get, facts::field)
                : Affinity.NO_SESSION;
        PrefixMode mode = rule.prefix() ? modes.of(model) : PrefixMode.OFF;
        if (mode == PrefixMode.OFF || facts.promptBytes() == 0) {
            return session == Affinity.NO_SESSION ? Wish.NONE : new Wish(session, NO_PREFIXES, 0);
        }
        boolean exact = mode == PrefixMode.EVENTS;
        PrefixChain chain = facts.prefixes(model, exact);
        if (chain.blocks() == 0 && session == Affinity.NO_SESSION) return Wish.NONE;
        Wish wish = new Wish(session, exact ? NO_PREFIXES : hashes(chain), facts.promptBytes());
        prefixes.find(chain, nowNanos, match);
        wish.affinity.prefix(match, facts.promptBytes());
        return wish;
    }

    private static long[] hashes(PrefixChain chain) {
        long[] hashes = new long[chain.blocks()];
        for (int i = 0; i < hashes.length; i++) hashes[i] = chain.hash(i);
        return hashes;
    }

    /** The wish as of now: pins move. */
    Affinity affinity(Wish wish, long nowNanos) {
        if (wish.sessionKey != Affinity.NO_SESSION) {
            wish.affinity.session(wish.sessionKey, pins.owner(wish.sessionKey, nowNanos));
        }
        return wish.affinity;
    }

    /** The request goes there. */
    void routed(String model, Wish wish, int replicaNumber, long nowNanos) {
        if (wish.sessionKey != Affinity.NO_SESSION) {
            pins.routed(model, wish.sessionKey, wish.affinity.pinned(), replicaNumber, nowNanos);
        }
        if (wish.promptBytes > 0) counters.sent(wish.promptBytes, wish.affinity.hitMilli(replicaNumber));
        if (wish.prefixes.length > 0) news.sent(wish.prefixes, replicaNumber, nowNanos);
    }
}
