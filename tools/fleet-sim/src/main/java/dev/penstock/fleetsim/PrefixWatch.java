package dev.penstock.fleetsim;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long a restarted router knows less than the others: second by second, the tokens of its requests' prompts that its
 * table finds, against what another router's table finds of the same requests.
 */
final class PrefixWatch {
    private static final double BACK = 0.9;
    private static final long SECOND = 1_000_000_000L;

    private final EventQueue events;
    private final List<SimRouter> routers;
    private final Tally tally;
    private @Nullable SimRouter restarted;
    private long sinceNanos;
    private long second;
    private long own;
    private long others;

    /** @param routers the present ones, of which the last one is never restarted */
    PrefixWatch(EventQueue events, List<SimRouter> routers, Tally tally) {
        this.events = events;
        this.routers = routers;
        this.tally = tally;
    }

    /** It takes requests from here on. */
    void listens(SimRouter router) {
        if (router.prefixes() == null) return;
        restarted = router;
        sinceNanos = events.nowNanos();
        tally.restartDipSeconds = 0;
    }

    void asked(SimRouter router, Demand demand) {
        if (router != restarted) return;
        RouterPrefixes mine = router.prefixes();
        RouterPrefixes theirs = routers.getLast().prefixes();
        if (mine == null || theirs == null) return;
        long now = (events.nowNanos() - sinceNanos) / SECOND;
        if (now != second) judge(now);
        own += mine.knownTokens(demand, events.nowNanos());
        others += theirs.knownTokens(demand, events.nowNanos());
    }

    private void judge(long next) {
        if (own < BACK * others) tally.restartDipSeconds = second + 1;
        second = next;
        own = 0;
        others = 0;
    }
}
