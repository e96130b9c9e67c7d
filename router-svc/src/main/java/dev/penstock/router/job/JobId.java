package dev.penstock.router.job;

import dev.penstock.model.Replica;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * What an id says: which engine has it, and by which name.
 *
 * @param replica number of the replica
 * @param uidSum of the replica's uid: an engine that was started anew has lost what it had
 */
public record JobId(JobKind kind, int replica, int uidSum, String engineId) {
    /** Longer ones are none of an engine that we know; a UUID has 36 characters. */
    static final int LONGEST_ENGINE_ID = 512;

    /** True when it is the same incarnation of the same replica. */
    boolean isOf(Replica candidate) {
        return candidate.number() == replica && uidSum(candidate.uid()) == uidSum;
    }

    static int uidSum(String uid) {
        CRC32C sum = new CRC32C();
        sum.update(uid.getBytes(StandardCharsets.UTF_8));
        return (int) sum.getValue();
    }

    /** True for what can be put into a path, a JSON string and an id as it is, and only for that. */
    static boolean sound(byte[] engineId, int length) {
        if (length == 0 || length > LONGEST_ENGINE_ID) return false;
        boolean dots = true;
        for (int i = 0; i < length; i++) {
            if (!isUnreserved(engineId[i])) return false;
            dots &= engineId[i] == '.';
        }
        return !dots;
    }

    /** RFC 3986, and the colon, which needs no escape in the middle of a path. */
    private static boolean isUnreserved(byte b) {
        return b >= 'a' && b <= 'z'
                || b >= 'A' && b <= 'Z'
                || b >= '0' && b <= '9'
                || b == '-'
                || b == '_'
                || b == '.'
                || b == '~'
                || b == ':';
    }
}
