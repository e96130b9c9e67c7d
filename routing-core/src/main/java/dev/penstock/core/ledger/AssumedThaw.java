package dev.penstock.core.ledger;

/**
 * Instead of {@link Thaw}, where an engine is assumed to abort what a closed connection had asked for: the slots of one dead holder
 * at one replica are home once so many answered scrapes in a row, begun after the owner found itself the highest claimant, each
 * showed the engine's heartbeat counter moved on. An engine that hangs moves none. An assumption: {@code admission.strict} makes none.
 */
public final class AssumedThaw {
    private final int scrapes;
    private boolean watching;
    private boolean beaten;
    private long sinceNanos;
    private double heartbeat;
    private int moved;

    public AssumedThaw(int scrapes) {
        if (scrapes < 1) throw new IllegalArgumentException("scrapes: " + scrapes + ", expected at least 1");
        this.scrapes = scrapes;
    }

    /** The claims were read to their end after the death was known, and this owner's is still the highest. */
    public void stillHighest(long nowNanos) {
        if (watching) return;
        watching = true;
        sinceNanos = nowNanos;
    }

    /**
     * @param begunNanos when it was asked for; one that was begun before the last one was answered is passed over
     * @param heartbeat a counter that moves while the engine works; one that falls is a restart, and begins anew
     * @return whether the slots are home
     */
    public boolean scraped(long begunNanos, long answeredNanos, double heartbeat) {
        if (!watching || begunNanos - sinceNanos <= 0) return false;
        sinceNanos = answeredNanos;
        moved = beaten && heartbeat > this.heartbeat ? moved + 1 : 0;
        beaten = true;
        this.heartbeat = heartbeat;
        return moved >= scrapes;
    }
}
