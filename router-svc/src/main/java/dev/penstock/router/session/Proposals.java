package dev.penstock.router.session;

import java.util.Iterator;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Proposals that wait for Redis, one per session: a later one of the same session joins the earlier. Bounded; the oldest is
 * given up. One thread.
 */
final class Proposals {
    private final int most;
    private final LinkedHashMap<Long, Proposal> waiting = new LinkedHashMap<>();

    Proposals(int most) {
        this.most = most;
    }

    /** @return how many were given up to make room: 0 or 1 */
    int add(Proposal proposal) {
        waiting.merge(proposal.key(), proposal, Proposal::then);
        return trim();
    }

    /** One that was taken and could not be told; what was added since comes after it. */
    int putBack(Proposal proposal) {
        waiting.merge(proposal.key(), proposal, (later, earlier) -> earlier.then(later));
        return trim();
    }

    @Nullable
    Proposal take() {
        Iterator<Proposal> oldest = waiting.values().iterator();
        if (!oldest.hasNext()) return null;
        Proposal taken = oldest.next();
        oldest.remove();
        return taken;
    }

    int size() {
        return waiting.size();
    }

    private int trim() {
        if (waiting.size() <= most) return 0;
        take();
        return 1;
    }
}
