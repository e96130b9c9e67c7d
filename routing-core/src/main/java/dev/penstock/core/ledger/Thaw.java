package dev.penstock.core.ledger;

/**
 * The slots of one dead holder at one replica, on their way home: the owner finds itself still the highest claimant, then sees the
 * engine idle in two answered scrapes in a row that began after that. Two, because a request that has just arrived at an engine's
 * front shows in its gauges one step later.
 */
public final class Thaw {
    private static final int IDLE_SCRAPES = 2;
    /** 1 s of scrapes each 100 ms: most engines that are not loaded are idle once in that time. */
    private static final int HELD_UP_SCRAPES = 10;

    private final Rules rules;
    private boolean watching;
    private long sinceNanos;
    private int idle;
    private int busy;

    public Thaw(Rules rules) {
        this.rules = rules;
        watching = !rules.has(Rule.THAW_AS_HIGHEST);
        sinceNanos = Long.MIN_VALUE;
    }

    /** The claims were read to their end after the death was known, and this owner's is still the highest. */
    public void stillHighest(long nowNanos) {
        if (watching) return;
        watching = true;
        sinceNanos = nowNanos;
        idle = 0;
    }

    public boolean watching() {
        return watching;
    }

    /**
     * @param begunNanos when it was asked for, on the clock of {@link #stillHighest}; one that was begun before the last one was
     *     answered is passed over
     * @return whether the slots are home
     */
    public boolean scraped(long begunNanos, long answeredNanos, int running, int waiting) {
        if (!watching || sinceNanos != Long.MIN_VALUE && begunNanos - sinceNanos <= 0) return false;
        sinceNanos = answeredNanos;
        boolean isIdle = running + waiting == 0;
        idle = isIdle ? idle + 1 : 0;
        if (!isIdle && busy < HELD_UP_SCRAPES) busy++;
        return idle >= IDLE_SCRAPES || !rules.has(Rule.THAW_WHEN_IDLE);
    }

    /** The engine is under load: it becomes idle only if {@link OwnerBook#thawing} keeps others' requests away, until this ends. */
    public boolean isHeldUp() {
        return busy >= HELD_UP_SCRAPES;
    }

    public Thaw copy() {
        Thaw copy = new Thaw(rules);
        copy.watching = watching;
        copy.sinceNanos = sinceNanos;
        copy.idle = idle;
        copy.busy = busy;
        return copy;
    }

    /** 0 before it watches, then 1 and the idle scrapes so far. */
    public int progress() {
        return watching ? 1 + idle : 0;
    }
}
