package dev.penstock.testkit.raw;

import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A body without its framing: its length and digest, and of its bytes the first {@value #MOST_KEPT}, because many large
 * ones come at once.
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
record SeenBody(byte[] head, long length, String sha256) {
    static final int MOST_KEPT = 64 * 1024;

    /** Takes a body piece by piece. */
    static final class Builder {
        private final ByteArrayOutputStream head = new ByteArrayOutputStream();
        private final MessageDigest digest = sha256();
        private long length;

        void add(byte[] bytes, int count) {
            head.write(bytes, 0, Math.min(count, MOST_KEPT - head.size()));
            digest.update(bytes, 0, count);
            length += count;
        }

        SeenBody build() {
            return new SeenBody(head.toByteArray(), length, HexFormat.of().formatHex(digest.digest()));
        }

        private static MessageDigest sha256() {
            try {
                return MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError("every JDK has SHA-256", e);
            }
        }
    }
}
