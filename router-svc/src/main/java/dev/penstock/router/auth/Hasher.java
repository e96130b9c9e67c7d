package dev.penstock.router.auth;

import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Hashes keys into memory that it keeps; the copy of the key is overwritten. One thread. */
final class Hasher {
    private final MessageDigest sha256 = sha256();
    private final byte[] text;
    private final byte[] hash = new byte[KeyHash.BYTES];
    private final ByteBuffer digest = ByteBuffer.wrap(hash);

    /** Longer texts are no keys. */
    Hasher(int longest) {
        text = new byte[longest];
    }

    static KeyHash hash(byte[] bytes) {
        return KeyHash.of(ByteBuffer.wrap(sha256().digest(bytes)));
    }

    /** Of the text from an index to its end; null when it is empty, too long, or not all visible ASCII. */
    @Nullable
    KeyHash hash(String header, int from) {
        int length = header.length() - from;
        if (length <= 0 || length > text.length) return null;
        try {
            for (int i = 0; i < length; i++) {
                char c = header.charAt(from + i);
                if (c <= ' ' || c > '~') return null;
                text[i] = (byte) c;
            }
            sha256.update(text, 0, length);
            sha256.digest(hash, 0, hash.length);
        } catch (DigestException e) {
            throw new AssertionError("SHA-256 has 32 bytes", e);
        } finally {
            Arrays.fill(text, 0, length, (byte) 0);
        }
        return KeyHash.of(digest);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
