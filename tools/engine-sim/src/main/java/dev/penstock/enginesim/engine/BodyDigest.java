package dev.penstock.enginesim.engine;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Running sha-256 and length of an answer's body. */
public final class BodyDigest {
    private final MessageDigest digest;
    private long bytes;

    public BodyDigest() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    public void update(byte[] written) {
        digest.update(written);
        bytes += written.length;
    }

    public long bytes() {
        return bytes;
    }

    /** May be called once. */
    public SentBody ended(String id, Ending ending) {
        return new SentBody(id, HexFormat.of().formatHex(digest.digest()), bytes, ending);
    }
}
