package dev.penstock.core.session;

import java.util.HexFormat;

/**
 * What a session is known by: 64 bits of its model and of whatever the client called it, at any length. Never 0, which means
 * no session. Text and its UTF-8 bytes have the same key, so that it does not matter whether a header or a body field named
 * the session. Routers of different versions share pins by this key: it must never change.
 *
 * <p>Two of 10^6 sessions share a key with a chance of 3 in 10^8, and then they share a replica, nothing more.
 */
public final class SessionKey {
    /** No session. */
    public static final long NONE = 0;

    private static final long SEED = 0x70656E73746F636BL;
    private static final HexFormat HEX = HexFormat.of();

    private SessionKey() {}

    public static long of(String model, CharSequence session) {
        return session.isEmpty() ? NONE : named(text(text(SEED, model), session));
    }

    /** The session's name as UTF-8. */
    public static long of(String model, byte[] session) {
        return of(model, session, 0, session.length);
    }

    /** @param session holds the name as UTF-8, from {@code from}, {@code length} bytes of it */
    public static long of(String model, byte[] session, int from, int length) {
        return length == 0 ? NONE : named(bytes(text(SEED, model), session, from, length));
    }

    /** As it is written where people and other processes see it: 16 hexadecimal digits. */
    public static String hex(long key) {
        return HEX.toHexDigits(key);
    }

    private static long named(long hash) {
        return hash == NONE ? SEED : hash;
    }

    private static long bytes(long seed, byte[] bytes, int from, int length) {
        long hash = seed;
        long word = 0;
        for (int i = 0; i < length; i++) {
            word = word << 8 | bytes[from + i] & 0xFF;
            if ((i & 7) == 7) hash = mixed(hash ^ word);
        }
        return ended(hash, word, length);
    }

    /** The same as {@link #bytes} of its UTF-8, without making them. A lone surrogate counts as {@code ?}, as Java encodes it. */
    private static long text(long seed, CharSequence text) {
        long hash = seed;
        long word = 0;
        int length = 0;
        for (int i = 0; i < text.length(); i++) {
            int point = text.charAt(i);
            if (Character.isSurrogate((char) point)) {
                point = i + 1 < text.length() && Character.isSurrogatePair((char) point, text.charAt(i + 1))
                        ? Character.toCodePoint((char) point, text.charAt(++i))
                        : '?';
            }
            int bytes = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
            for (int b = bytes - 1; b >= 0; b--) {
                word = word << 8 | utf8(point, b, bytes);
                if ((length & 7) == 7) hash = mixed(hash ^ word);
                length++;
            }
        }
        return ended(hash, word, length);
    }

    /** Byte {@code fromEnd} of a code point's encoding, 0 = its last. */
    private static int utf8(int point, int fromEnd, int bytes) {
        if (bytes == 1) return point;
        int bits = point >>> 6 * fromEnd;
        if (fromEnd < bytes - 1) return 0x80 | bits & 0x3F;
        return (0xF00 >>> bytes & 0xFF) | bits;
    }

    private static long ended(long hash, long word, int length) {
        long rest = (length & 7) == 0 ? 0 : word & -1L >>> 64 - 8 * (length & 7);
        return mixed(mixed(hash ^ rest) + length);
    }

    /** SplitMix64's output function, a permutation: no two states of one word become one. */
    static long mixed(long seed) {
        long z = seed + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
