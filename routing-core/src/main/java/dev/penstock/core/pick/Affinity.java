package dev.penstock.core.pick;

import dev.penstock.core.prefix.PrefixChain;
import dev.penstock.core.prefix.PrefixMatch;

/**
 * Why a request would rather go to some replicas than to others that are as loaded: its session is pinned to one, or they have
 * computed the beginning of its prompt. A buffer of the caller, filled anew for each request; a decision looks at it and
 * remembers nothing.
 */
public final class Affinity {
    public static final int NO_SESSION = 0;
    public static final int NOBODY = -1;

    /** Of a request that has none. Not to be filled. */
    static final Affinity NONE = new Affinity();

    private static final int WHOLE_MILLI = 1_000;

    private final int[] owner = new int[PrefixMatch.MOST_OWNERS];
    private final int[] hitMilli = new int[PrefixMatch.MOST_OWNERS];
    private int owners;
    private long sessionKey = NO_SESSION;
    private int pinned = NOBODY;

    public void clear() {
        owners = 0;
        sessionKey = NO_SESSION;
        pinned = NOBODY;
    }

    /** @param pinnedReplica where the session is, or {@link #NOBODY}: it then begins where the ring has its place */
    public void session(long key, int pinnedReplica) {
        sessionKey = key;
        pinned = pinnedReplica;
    }

    /** @param promptBytes of the whole prompt: what is not in it yet has to be computed wherever it goes */
    public void prefix(PrefixMatch match, int promptBytes) {
        int wide = PrefixChain.bytesOf(match.wideBlocks());
        for (int i = 0; i < match.owners(); i++) {
            int beyond = PrefixChain.bytesOf(match.blocks(i)) - wide;
            owner(match.replica(i), (int) ((long) beyond * WHOLE_MILLI / Math.max(1, promptBytes)));
        }
    }

    /**
     * A replica that has that share of the prompt, in thousandths, beyond what everybody has. The best four count: to be told
     * the longest first.
     */
    public void owner(int replicaNumber, int shareMilli) {
        if (owners == owner.length || shareMilli <= 0) return;
        owner[owners] = replicaNumber;
        hitMilli[owners++] = Math.min(shareMilli, WHOLE_MILLI);
    }

    public long sessionKey() {
        return sessionKey;
    }

    public int pinned() {
        return pinned;
    }

    int owners() {
        return owners;
    }

    int owner(int i) {
        return owner[i];
    }

    /** The share of the prompt that this replica has, in thousandths. */
    public int hitMilli(int replicaNumber) {
        for (int i = 0; i < owners; i++) if (owner[i] == replicaNumber) return hitMilli[i];
        return 0;
    }

    boolean none() {
        return owners == 0 && sessionKey == NO_SESSION;
    }
}
