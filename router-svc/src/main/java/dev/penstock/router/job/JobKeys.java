package dev.penstock.router.job;

import java.util.Arrays;
import java.util.List;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys that ids are authenticated with: the first signs, all are believed. One writer; any thread may read.
 */
public final class JobKeys {
    static final String ALGORITHM = "HmacSHA256";
    static final int LEAST_BYTES = 32;
    /** Its own until Redis answered, the shared one, and one that a Redis without its data brought. */
    private static final int MOST_KEPT = 4;

    private volatile List<SecretKeySpec> keys;

    public JobKeys(byte[] first) {
        keys = List.of(key(first));
    }

    /** The same object while they are the same. */
    List<SecretKeySpec> all() {
        return keys;
    }

    /** Signs with this one from here on, and goes on believing what it signed with before. Returns false if it did so already. */
    boolean signWith(byte[] next) {
        SecretKeySpec first = key(next);
        List<SecretKeySpec> before = keys;
        if (before.getFirst().equals(first)) return false;
        SecretKeySpec[] now = new SecretKeySpec[Math.min(MOST_KEPT, before.size() + 1)];
        int at = 0;
        now[at++] = first;
        for (SecretKeySpec each : before) if (at < now.length && !each.equals(first)) now[at++] = each;
        keys = List.of(Arrays.copyOf(now, at));
        return true;
    }

    byte[] signing() {
        return keys.getFirst().getEncoded();
    }

    private static SecretKeySpec key(byte[] bytes) {
        if (bytes.length < LEAST_BYTES) {
            throw new IllegalArgumentException("key: " + bytes.length + " bytes, expected at least " + LEAST_BYTES);
        }
        return new SecretKeySpec(bytes, ALGORITHM);
    }
}
