package dev.penstock.router.auth;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The SHA-256 of a key or token: all that is kept of it. Four numbers rather than an array, so that a look-up allocates 48
 * bytes at most. Equality looks at all 32 bytes whatever the first ones are.
 */
record KeyHash(long first, long second, long third, long fourth) {
    static final int BYTES = 32;
    private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]{64}");

    static KeyHash of(ByteBuffer digest) {
        return new KeyHash(digest.getLong(0), digest.getLong(8), digest.getLong(16), digest.getLong(24));
    }

    /** Null when the text is not 64 hexadecimal digits. */
    static @Nullable KeyHash parse(String hex) {
        return HEX.matcher(hex).matches() ? of(ByteBuffer.wrap(HexFormat.of().parseHex(hex))) : null;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KeyHash hash
                && ((first ^ hash.first) | (second ^ hash.second) | (third ^ hash.third) | (fourth ^ hash.fourth)) == 0;
    }

    /** Its bits are as good as random. */
    @Override
    public int hashCode() {
        return (int) first;
    }

    /** The hash of a weak key gives the key away, so none is printed. */
    @Override
    public String toString() {
        return "KeyHash";
    }
}
