package dev.penstock.router.body;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Passes over the bytes of a JSON string that need no thought, several at a time. */
final class Utf8Run {
    /** How far behind the bytes it may look; they are not judged. */
    static final int LOOK_AHEAD = 2 * Long.BYTES;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH = 0x8080808080808080L;
    private static final long QUOTES = 0x2222222222222222L;
    private static final long BACKSLASHES = 0x5C5C5C5C5C5C5C5CL;
    private static final long SPACES = 0x2020202020202020L;

    private Utf8Run() {}

    /**
     * Where the run of ASCII ends that is neither quote, backslash nor control character.
     *
     * @param bytes {@link #LOOK_AHEAD} longer than {@code to}
     */
    static int ascii(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            long first = odd((long) LONG.get(bytes, at));
            long second = odd((long) LONG.get(bytes, at + Long.BYTES));
            if ((first | second) == 0) {
                at += 2 * Long.BYTES;
                continue;
            }
            int odd = first != 0 ? Long.numberOfTrailingZeros(first) : Long.SIZE + Long.numberOfTrailingZeros(second);
            return Math.min(to, at + odd / Byte.SIZE);
        }
        return to;
    }

    /**
     * The high bit of each byte that ends a run. Bytes above the first one may be marked for nothing, by its borrow: each
     * difference is negative for what is looked for and for nothing else below 0x80.
     */
    private static long odd(long word) {
        return (word | word - SPACES | (word ^ QUOTES) - ONES | (word ^ BACKSLASHES) - ONES) & HIGH;
    }

    /** Passes whole and valid characters of two and three bytes, which most scripts are written in; the rest is the caller's. */
    static int wide(byte[] bytes, int from, int to) {
        int at = from;
        while (at + Integer.BYTES <= to && bytes[at] < 0) {
            int word = (int) INT.get(bytes, at);
            if ((word & 0xC0C0F0) == 0x8080E0) {
                int unit = (word & 0xF) << 12 | (word >>> 8 & 0x3F) << 6 | word >>> 16 & 0x3F;
                if (unit < 0x800 || unit >>> 11 == 0xD800 >>> 11) return at;
                at += 3;
            } else if ((word & 0xC0E0) == 0x80C0 && (word & 0x1E) != 0) {
                at += 2;
            } else {
                return at;
            }
        }
        return at;
    }
}
