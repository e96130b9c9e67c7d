package dev.penstock.core.ledger;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * The slots of one replica at one holder, in one word: a request is admitted by one compare-and-set. Any thread admits and
 * releases; everything else is the ledger's one thread's.
 *
 * <pre>
 *   bits  0-15  used: requests in flight, those that are closing too
 *   bits 16-31  held: slots at this holder
 *   bits 32-47  target: slots that it may keep, 65,535 = all
 * </pre>
 */
public final class SlotCell {
    /** Slots of one replica, at most. */
    public static final int MOST = 0xfffe;

    private static final AtomicLongFieldUpdater<SlotCell> WORD =
            AtomicLongFieldUpdater.newUpdater(SlotCell.class, "word");
    private static final int NO_TARGET = 0xffff;
    private static final long ONE_USED = 1;
    private static final long ONE_HELD = 1L << 16;

    private volatile long word = (long) NO_TARGET << 32;

    static int used(long word) {
        return (int) word & 0xffff;
    }

    static int held(long word) {
        return (int) (word >>> 16) & 0xffff;
    }

    static int target(long word) {
        return (int) (word >>> 32) & 0xffff;
    }

    /** False when no slot is free, or those that are have been recalled. A true one is followed by exactly one {@link #release}. */
    public boolean admit() {
        while (true) {
            long before = word;
            if (used(before) >= Math.min(held(before), target(before))) return false;
            if (WORD.compareAndSet(this, before, before + ONE_USED)) return true;
        }
    }

    /**
     * The engine is known to have stopped: its last byte came, or it closed the connection.
     *
     * @return whether a slot is to be given back: the ledger's thread should call {@link #giveBack}
     */
    public boolean release() {
        while (true) {
            long before = word;
            // Below zero it would borrow from the slots that are held.
            if (used(before) == 0) throw new IllegalStateException("released more than was admitted");
            if (WORD.compareAndSet(this, before, before - ONE_USED)) return target(before) < held(before);
        }
    }

    public int used() {
        return used(word);
    }

    public int held() {
        return held(word);
    }

    /** Whether {@link #admit} would find a slot. */
    public boolean free() {
        long now = word;
        return used(now) < Math.min(held(now), target(now));
    }

    /** More slots than {@link #MOST} can't be held: whoever grants them is wrong. */
    void granted(int slots) {
        if (slots < 1 || held() + slots > MOST) throw new IllegalStateException("granted " + slots + " to " + held());
        WORD.addAndGet(this, slots * ONE_HELD);
    }

    /** Sticky: holds until the next recall, or the next SYNC. */
    void recalled(int target) {
        setTarget(Math.clamp(target, 0, MOST));
    }

    void keepAll() {
        setTarget(NO_TARGET);
    }

    private void setTarget(int target) {
        while (true) {
            long before = word;
            long after = before & 0xffff_ffffL | (long) target << 32;
            if (WORD.compareAndSet(this, before, after)) return;
        }
    }

    /** Takes the free slots above the target away: they are to be returned at once. */
    int giveBack() {
        return take(Integer.MAX_VALUE, true);
    }

    /** Takes free slots away, at most so many. */
    int giveBack(int most) {
        return take(most, false);
    }

    private int take(int most, boolean aboveTarget) {
        while (true) {
            long before = word;
            int spare = aboveTarget ? Math.max(0, held(before) - target(before)) : held(before);
            int taken = Math.min(most, Math.min(spare, held(before) - used(before)));
            if (taken <= 0) return 0;
            if (WORD.compareAndSet(this, before, before - taken * ONE_HELD)) return taken;
        }
    }

    SlotCell copy() {
        SlotCell copy = new SlotCell();
        copy.word = word;
        return copy;
    }

    long word() {
        return word;
    }
}
