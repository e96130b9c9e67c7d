package dev.penstock.router.auth;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Verdicts on tokens, by the hash of all of the token. Good and bad ones are kept apart, so that a flood of forged tokens
 * pushes out no good one. One thread: each event loop has its own, and verifies a token once in five minutes.
 */
final class TokenCache {
    private final Lru good;
    private final Lru bad;

    TokenCache(int mostGood, int mostBad) {
        good = new Lru(mostGood);
        bad = new Lru(mostBad);
    }

    @Nullable
    Verdict get(KeyHash hash, long wallMillis) {
        Verdict verdict = good.get(hash);
        if (verdict == null) verdict = bad.get(hash);
        return verdict != null && wallMillis < verdict.untilMillis() ? verdict : null;
    }

    void put(KeyHash hash, Verdict verdict) {
        boolean granted = verdict.access() instanceof Access.Granted;
        (granted ? good : bad).put(hash, verdict);
        (granted ? bad : good).remove(hash);
    }

    void clear() {
        good.clear();
        bad.clear();
    }

    int size() {
        return good.size() + bad.size();
    }

    /** The one that was not asked for longest goes. */
    private static final class Lru extends LinkedHashMap<KeyHash, Verdict> {
        private final int most;

        Lru(int most) {
            super(16, 0.75f, true);
            this.most = most;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<KeyHash, Verdict> eldest) {
            return size() > most;
        }
    }
}
