package dev.penstock.core.view;

import static dev.penstock.core.view.SourceFleet.MS;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Records on their way. Each meets the next fate of a list; when that is used up, or mended, the link is perfect: nothing is
 * lost and nothing takes time.
 */
final class FaultyLink {
    private final PriorityQueue<Transit> underWay =
            new PriorityQueue<>(Comparator.comparingLong(Transit::due).thenComparingLong(Transit::order));
    private final Iterator<Fate> fates;
    private boolean mended;
    private long order;
    private long cutUntil;
    private long stalledUntil;

    /**
     * What becomes of one record.
     *
     * @param copyMillis when a second copy arrives, or -1
     */
    record Fate(boolean lost, int delayMillis, int copyMillis) {
        static final Fate PERFECT = new Fate(false, 0, -1);
    }

    record Transit(Object content, long sent, long due, long order) {}

    FaultyLink(List<Fate> fates) {
        this.fates = fates.iterator();
    }

    /** Each incarnation has its own monotonic clock. */
    static long clockOffset(long incarnation) {
        return incarnation * 7_919_000_000_123L;
    }

    void send(Object record, long now) {
        Fate fate = !mended && fates.hasNext() ? fates.next() : Fate.PERFECT;
        if (fate.lost() || now < cutUntil) return;
        put(record, now, fate.delayMillis());
        if (fate.copyMillis() >= 0) put(record, now, fate.copyMillis());
    }

    private void put(Object record, long now, int delayMillis) {
        underWay.add(new Transit(record, now, Math.max(now + delayMillis * MS, stalledUntil), order++));
    }

    /** Everything is lost until then. */
    void cut(long until) {
        cutUntil = until;
    }

    /** Nothing arrives until then, and then everything at once, as after a pause of the reader. */
    void stall(long until) {
        stalledUntil = until;
    }

    void mend() {
        mended = true;
        cutUntil = 0;
        stalledUntil = 0;
    }

    /** The next that has arrived by then, or null. */
    @Nullable
    Transit next(long now) {
        Transit head = underWay.peek();
        return head == null || head.due() > now ? null : underWay.poll();
    }

    boolean idle() {
        return underWay.isEmpty();
    }
}
