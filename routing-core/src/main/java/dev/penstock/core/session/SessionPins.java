package dev.penstock.core.session;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Which replica each session is pinned to, as this router knows it. A bounded table of sets of {@link #WAYS} pins; a full
 * set gives up the pin that was looked at longest ago. A pin that nobody looks at for the time to live is gone; a look
 * renews it. Flat arrays, 24 B a pin: 2^20 pins are 24 MiB. A look allocates nothing and takes 10 to 20 ns.
 *
 * <p>Any thread reads and writes; none parks. A writer has its set by a compare-and-set on a stripe, tries {@link #SPINS}
 * times and then gives up: a lost update is a lost hint, and the next request brings it again. A reader takes a value only
 * if its key stood still around it, so that no session is told another one's owner.
 */
public final class SessionPins {
    /** No replica: the session is not pinned. */
    public static final int NOBODY = -1;

    /** A version that any other replaces: of a pin that only this router knows. */
    public static final int UNCONFIRMED = 0;

    private static final int WAYS = 8;
    private static final int STRIPES = 256;
    private static final int SPINS = 64;
    /** Times are kept in 1/1,024 of the time to live, so that a pin is written at most that often for being looked at. */
    private static final int TICKS_TO_LIVE = 1_024;

    /** The fleet's pin is renewed that often in a time to live. */
    private static final int RENEWALS = 10;

    private static final int LONGEST_TTL_DAYS = 365;
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

    private final int sets;
    private final long tickNanos;
    /** 0 = empty. */
    private final long[] keys;
    /** Replica number in the upper half, tick of the last look in the lower. */
    private final long[] values;

    private final int[] versions;
    /** Tick at which the fleet was last told of the pin, or told of it. */
    private final int[] renewals;

    private final int[] stripes = new int[STRIPES];

    /**
     * @param most pins at once, rounded up to whole sets
     * @param ttlNanos for which a pin lives without being looked at
     */
    public SessionPins(int most, long ttlNanos) {
        if (most < 1 || most > 1 << 27) throw new IllegalArgumentException("most is 1 to 2^27 pins, was " + most);
        if (ttlNanos < TICKS_TO_LIVE || ttlNanos > LONGEST_TTL_DAYS * 86_400_000_000_000L) {
            throw new IllegalArgumentException(
                    "ttlNanos is " + TICKS_TO_LIVE + " ns to " + LONGEST_TTL_DAYS + " days, was " + ttlNanos);
        }
        this.sets = (most + WAYS - 1) / WAYS;
        this.tickNanos = ttlNanos / TICKS_TO_LIVE;
        this.keys = new long[sets * WAYS];
        this.values = new long[sets * WAYS];
        this.versions = new int[sets * WAYS];
        this.renewals = new int[sets * WAYS];
    }

    /** The replica's number, or {@link #NOBODY}; the pin lives on for being looked at. */
    public int owner(long key, long nowNanos) {
        int at = find(key);
        if (at < 0) return NOBODY;
        long value = (long) LONGS.getAcquire(values, at);
        VarHandle.loadLoadFence();
        if ((long) LONGS.getOpaque(keys, at) != key) return NOBODY;
        int now = tick(nowNanos);
        int age = now - (int) value;
        if (age > TICKS_TO_LIVE) return NOBODY;
        // An older tick is another thread's earlier look at the clock.
        if (age > 0) LONGS.compareAndSet(values, at, value, value & ~0xFFFF_FFFFL | now & 0xFFFF_FFFFL);
        return (int) (value >>> Integer.SIZE);
    }

    /** How often the pin was moved, as far as this router knows; {@link #UNCONFIRMED} = nobody else has said so, or no pin. */
    public int version(long key) {
        int at = find(key);
        if (at < 0) return UNCONFIRMED;
        int version = (int) INTS.getAcquire(versions, at);
        VarHandle.loadLoadFence();
        return (long) LONGS.getOpaque(keys, at) == key ? version : UNCONFIRMED;
    }

    /** Pins, or moves, by this router's own word; the version it knows stays. */
    public void pin(long key, int replicaNumber, long nowNanos) {
        write(key, replicaNumber, UNCONFIRMED, false, nowNanos);
    }

    /**
     * Pins by the fleet's word. What this router has decided since the version it knows stays, until the fleet has decided
     * too: that has a later version.
     *
     * @param version higher = later
     * @return false if it was out of date, or the table was too busy to be told
     */
    public boolean pin(long key, int replicaNumber, int version, long nowNanos) {
        return write(key, replicaNumber, version, true, nowNanos);
    }

    /** True for one caller in a tenth of the time to live, unless the fleet has spoken of the pin meanwhile: it renews the pin. */
    public boolean renewalDue(long key, long nowNanos) {
        int at = find(key);
        if (at < 0) return false;
        int renewed = (int) INTS.getOpaque(renewals, at);
        int now = tick(nowNanos);
        return now - renewed >= TICKS_TO_LIVE / RENEWALS && INTS.compareAndSet(renewals, at, renewed, now);
    }

    /** Makes every pin's renewal due: the fleet may have forgotten them all. */
    public void renewAll(long nowNanos) {
        int due = tick(nowNanos) - TICKS_TO_LIVE;
        for (int at = 0; at < renewals.length; at++) INTS.setOpaque(renewals, at, due);
    }

    public void drop(long key) {
        int set = set(key);
        if (!lock(set)) return;
        try {
            int at = find(key);
            if (at >= 0) LONGS.setVolatile(keys, at, SessionKey.NONE);
        } finally {
            unlock(set);
        }
    }

    /** Pins that live, counted one by one: for the gauge, not for requests. */
    public int count(long nowNanos) {
        int now = tick(nowNanos);
        int count = 0;
        for (int at = 0; at < keys.length; at++) {
            if ((long) LONGS.getOpaque(keys, at) != SessionKey.NONE
                    && now - (int) (long) LONGS.getOpaque(values, at) <= TICKS_TO_LIVE) count++;
        }
        return count;
    }

    private boolean write(long key, int replicaNumber, int version, boolean versioned, long nowNanos) {
        if (key == SessionKey.NONE) return false;
        int set = set(key);
        if (!lock(set)) return false;
        try {
            int now = tick(nowNanos);
            long value = (long) replicaNumber << Integer.SIZE | now & 0xFFFF_FFFFL;
            int at = find(key);
            if (at < 0) {
                replace(oldest(set, now), key, value, version, now);
                return true;
            }
            if (versioned) {
                if (outdated(at, replicaNumber, version, now)) return false;
                INTS.setRelease(versions, at, version);
            }
            INTS.setOpaque(renewals, at, now);
            LONGS.setRelease(values, at, value);
            return true;
        } finally {
            unlock(set);
        }
    }

    private boolean outdated(int at, int replicaNumber, int version, int now) {
        long value = (long) LONGS.getOpaque(values, at);
        if (now - (int) value > TICKS_TO_LIVE || version > versions[at]) return false;
        return version < versions[at] || replicaNumber != (int) (value >>> Integer.SIZE);
    }

    /** The key goes first and comes last: who reads in between sees no key. */
    private void replace(int at, long key, long value, int version, int now) {
        LONGS.setVolatile(keys, at, SessionKey.NONE);
        VarHandle.storeStoreFence();
        LONGS.setRelease(values, at, value);
        INTS.setRelease(versions, at, version);
        INTS.setRelease(renewals, at, now);
        LONGS.setRelease(keys, at, key);
    }

    private int oldest(int set, int now) {
        int oldest = set * WAYS;
        int most = Integer.MIN_VALUE;
        for (int at = set * WAYS; at < (set + 1) * WAYS; at++) {
            if (keys[at] == SessionKey.NONE) return at;
            int age = now - (int) (long) LONGS.getOpaque(values, at);
            if (age <= most) continue;
            oldest = at;
            most = age;
        }
        return oldest;
    }

    private int find(long key) {
        if (key == SessionKey.NONE) return -1;
        int first = set(key) * WAYS;
        for (int at = first; at < first + WAYS; at++) if ((long) LONGS.getAcquire(keys, at) == key) return at;
        return -1;
    }

    private int set(long key) {
        return (int) Math.unsignedMultiplyHigh(SessionKey.mixed(key), sets);
    }

    private boolean lock(int set) {
        int stripe = set & STRIPES - 1;
        for (int i = 0; i < SPINS; i++) {
            if ((int) INTS.getOpaque(stripes, stripe) == 0 && INTS.compareAndSet(stripes, stripe, 0, 1)) return true;
            Thread.onSpinWait();
        }
        return false;
    }

    private void unlock(int set) {
        INTS.setRelease(stripes, set & STRIPES - 1, 0);
    }

    private int tick(long nowNanos) {
        return (int) Math.floorDiv(nowNanos, tickNanos);
    }
}
