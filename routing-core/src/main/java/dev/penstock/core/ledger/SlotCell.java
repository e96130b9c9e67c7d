package dev.penstock.core.ledger;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

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

    /** Every slot of a replica that nobody limits, none recalled. */
    public static final long UNLIMITED = 0xffffL << 32 | (long) MOST << 16;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int NO_TARGET = 0xffff;
    private static final long ONE_USED = 1;
    private static final long ONE_HELD = 1L << 16;

    private final long[] words;
    private final int at;

    /** A word of its own, without slots. */
    public SlotCell() {
        this(new long[1], 0);
        set((long) NO_TARGET << 32);
    }

    /** The word that is there, with the slots that it has: whoever decides reads it too. */
    public SlotCell(long[] words, int at) {
        this.words = words;
        this.at = at;
    }

    public static int used(long word) {
        return (int) word & 0xffff;
    }

    static int held(long word) {
        return (int) (word >>> 16) & 0xffff;
    }

    static int target(long word) {
        return (int) (word >>> 32) & 0xffff;
    }

    /** Whether {@link #admit} would find a slot. */
    public static boolean free(long word) {
        return used(word) < Math.min(held(word), target(word));
    }

    /** False when no slot is free, or those that are have been recalled. A true one is followed by exactly one {@link #release}. */
    public boolean admit() {
        return admit(words, at);
    }

    /** The same of a word in a table. */
    public static boolean admit(long[] words, int at) {
        while (true) {
            long before = get(words, at);
            if (!free(before)) return false;
            if (WORD.compareAndSet(words, at, before, before + ONE_USED)) return true;
        }
    }

    /**
     * The engine is known to have stopped: its last byte came, or it closed the connection.
     *
     * @return whether a slot is to be given back: the ledger's thread should call {@link #giveBack}
     */
    public boolean release() {
        return release(words, at);
    }

    /** The same of a word in a table. */
    public static boolean release(long[] words, int at) {
        while (true) {
            long before = get(words, at);
            // Below zero it would borrow from the slots that are held.
            if (used(before) == 0) throw new IllegalStateException("released more than was admitted");
            if (WORD.compareAndSet(words, at, before, before - ONE_USED)) return target(before) < held(before);
        }
    }

    public int used() {
        return used(word());
    }

    public int held() {
        return held(word());
    }

    /** Slots that it may keep, {@value #NO_TARGET} = all. */
    public int target() {
        return target(word());
    }

    /** Whether {@link #admit} would find a slot. */
    public boolean free() {
        return free(word());
    }

    /** What runs has a slot, and nobody else gets one: as many are held as are used. */
    public void keepUsed() {
        while (true) {
            long before = word();
            long after = (long) NO_TARGET << 32 | used(before) * ONE_HELD | used(before);
            if (WORD.compareAndSet(words, at, before, after)) return;
        }
    }

    /** More slots than {@link #MOST} can't be held: whoever grants them is wrong. */
    void granted(int slots) {
        if (slots < 1 || held() + slots > MOST) throw new IllegalStateException("granted " + slots + " to " + held());
        WORD.getAndAdd(words, at, slots * ONE_HELD);
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
            long before = word();
            long after = before & 0xffff_ffffL | (long) target << 32;
            if (WORD.compareAndSet(words, at, before, after)) return;
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
            long before = word();
            int spare = aboveTarget ? Math.max(0, held(before) - target(before)) : held(before);
            int taken = Math.min(most, Math.min(spare, held(before) - used(before)));
            if (taken <= 0) return 0;
            if (WORD.compareAndSet(words, at, before, before - taken * ONE_HELD)) return taken;
        }
    }

    SlotCell copy() {
        SlotCell copy = new SlotCell();
        copy.set(word());
        return copy;
    }

    long word() {
        return get(words, at);
    }

    private void set(long word) {
        WORD.setVolatile(words, at, word);
    }

    private static long get(long[] words, int at) {
        return (long) WORD.getVolatile(words, at);
    }
}
