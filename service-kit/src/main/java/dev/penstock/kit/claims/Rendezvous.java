package dev.penstock.kit.claims;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Highest random weight: each key has its own order of members, and a member that leaves moves only what it had. */
public final class Rendezvous {
    private Rendezvous() {}

    /** The first member for a key, or null when there is none. */
    public static @Nullable String first(Collection<String> members, String key) {
        String best = null;
        long highest = 0;
        for (String member : members) {
            long weight = weight(member, key);
            if (best == null
                    || Long.compareUnsigned(weight, highest) > 0
                    || (weight == highest && member.compareTo(best) < 0)) {
                best = member;
                highest = weight;
            }
        }
        return best;
    }

    /** 64-bit FNV-1a over member, a zero and key, then the finalizer of SplitMix64. */
    private static long weight(String member, String key) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < member.length(); i++) hash = (hash ^ member.charAt(i)) * 0x100000001b3L;
        hash *= 0x100000001b3L;
        for (int i = 0; i < key.length(); i++) hash = (hash ^ key.charAt(i)) * 0x100000001b3L;
        hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
        hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
        return hash ^ (hash >>> 31);
    }
}
