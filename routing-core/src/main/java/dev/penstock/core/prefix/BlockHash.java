package dev.penstock.core.prefix;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * XXH64 of whole stripes of 32 bytes, in pieces of any size. Own code: the published ones allocate per hash or take all bytes
 * at once. Never 0, which tables use for an empty place.
 */
final class BlockHash {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    private static final long P1 = 0x9E3779B185EBCA87L;
    private static final long P2 = 0xC2B2AE3D27D4EB4FL;
    private static final long P3 = 0x165667B19E3779F9L;
    private static final long P4 = 0x85EBCA77C2B2AE63L;
    private static final long P5 = 0x27D4EB2F165667C5L;
    private static final int STRIPE = 32;

    private final byte[] carry = new byte[STRIPE];
    private int carried;
    private long lane1;
    private long lane2;
    private long lane3;
    private long lane4;
    private long length;

    void start(long seed) {
        lane1 = seed + P1 + P2;
        lane2 = seed + P2;
        lane3 = seed;
        lane4 = seed - P1;
        carried = 0;
        length = 0;
    }

    void add(byte[] bytes, int from, int count) {
        int at = from;
        int left = count;
        length += count;
        if (carried > 0) {
            int take = Math.min(left, STRIPE - carried);
            System.arraycopy(bytes, at, carry, carried, take);
            carried += take;
            at += take;
            left -= take;
            if (carried < STRIPE) return;
            stripes(carry, 0, STRIPE);
            carried = 0;
        }
        int whole = left & -STRIPE;
        stripes(bytes, at, at + whole);
        carried = left - whole;
        System.arraycopy(bytes, at + whole, carry, 0, carried);
    }

    private void stripes(byte[] bytes, int from, int to) {
        long a = lane1;
        long b = lane2;
        long c = lane3;
        long d = lane4;
        for (int at = from; at < to; at += STRIPE) {
            a = round(a, (long) LONG.get(bytes, at));
            b = round(b, (long) LONG.get(bytes, at + 8));
            c = round(c, (long) LONG.get(bytes, at + 16));
            d = round(d, (long) LONG.get(bytes, at + 24));
        }
        lane1 = a;
        lane2 = b;
        lane3 = c;
        lane4 = d;
    }

    /** Of what was added: a multiple of 32 bytes, 32 at least. */
    long end() {
        long all = Long.rotateLeft(lane1, 1)
                + Long.rotateLeft(lane2, 7)
                + Long.rotateLeft(lane3, 12)
                + Long.rotateLeft(lane4, 18);
        all = merge(merge(merge(merge(all, lane1), lane2), lane3), lane4);
        return finish(all + length);
    }

    /** XXH64 of one number's 8 bytes. */
    static long of(long value, long seed) {
        return finish(step(seed + P5 + Long.BYTES, value));
    }

    /** Of a text, its length included. */
    static long of(String text, long seed) {
        long all = seed + P5 + text.length();
        for (int i = 0; i < text.length(); i++) all = step(all, text.charAt(i));
        return finish(all);
    }

    private static long step(long all, long value) {
        return Long.rotateLeft(all ^ round(0, value), 27) * P1 + P4;
    }

    private static long round(long lane, long value) {
        return Long.rotateLeft(lane + value * P2, 31) * P1;
    }

    private static long merge(long all, long lane) {
        return (all ^ round(0, lane)) * P1 + P4;
    }

    private static long finish(long all) {
        long mixed = (all ^ all >>> 33) * P2;
        mixed = (mixed ^ mixed >>> 29) * P3;
        mixed ^= mixed >>> 32;
        return mixed == 0 ? P1 : mixed;
    }
}
