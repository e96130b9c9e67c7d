package dev.penstock.router.relay;

import dev.penstock.core.pick.Affinity;

/** Where a request would rather go, for as long as it may be sent somewhere; one event loop's. */
public final class Wish {
    private static final long[] NO_PREFIXES = {};

    /** Of a request that would go anywhere. */
    static final Wish NONE = new Wish(Affinity.NO_SESSION, NO_PREFIXES, 0);

    final Affinity affinity = new Affinity();
    final long sessionKey;
    final long[] prefixes;
    final int promptBytes;

    /**
     * @param sessionKey see {@link dev.penstock.core.session.SessionKey}
     * @param prefixes hashes of the beginning of its prompt, the shortest first, to be told to the other routers; none where
     *     engines tell them
     * @param promptBytes 0 where nobody asks for prefixes
     */
    Wish(long sessionKey, long[] prefixes, int promptBytes) {
        this.sessionKey = sessionKey;
        this.prefixes = prefixes;
        this.promptBytes = promptBytes;
    }
}
