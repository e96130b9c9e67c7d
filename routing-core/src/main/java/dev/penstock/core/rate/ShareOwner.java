package dev.penstock.core.rate;

import dev.penstock.core.ledger.HolderId;
import dev.penstock.core.ledger.OwnerBook;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A model's rate at the owner: what is out is in the pool's {@link OwnerBook}, as slots of a pseudo-replica; here is the fill that
 * came home with shares and goes out with them again, and the plan of who gets how many. What lies at home fills nothing, nor does
 * what is on its way. A holder that is silent keeps what it has and is no part of the plan. One thread.
 */
public final class ShareOwner {
    /** Two reports and a half: what is sent into a broken stream is nobody's until it is repaired. */
    private static final long SILENT_NANOS = 5 * ShareSplit.PERIOD_NANOS / 2;

    private final OwnerBook book;
    private final int replica;
    private final ShareSplit split = new ShareSplit();
    private final SortedMap<HolderId, Integer> reachableToTarget = new TreeMap<>(ShareSplit.BY_NAME);
    private final Map<HolderId, Integer> recalledTo = new HashMap<>();
    private final Map<HolderId, Long> heardNanos = new HashMap<>();
    private long homeMicros;

    /** @param replica pseudo-replica of the model in the book of its pool */
    public ShareOwner(OwnerBook book, int replica) {
        this.book = book;
        this.replica = replica;
        book.limit(replica, RateLimit.SHARES);
    }

    /** Its SYNC was welcome. */
    public void reachable(HolderId holder, long nowNanos) {
        reachableToTarget.put(holder, book.out(holder, replica));
        recalledTo.remove(holder);
        heardNanos.put(holder, nowNanos);
    }

    /** Its stream broke, or it is gone. */
    public void silent(HolderId holder) {
        reachableToTarget.remove(holder);
        recalledTo.remove(holder);
        heardNanos.remove(holder);
        split.forget(holder);
    }

    /** Arrivals since the last report, each {@link ShareSplit#PERIOD_NANOS}, and who waits now. */
    public void reported(HolderId holder, int arrivals, int waiting, long nowNanos) {
        if (heardNanos.replace(holder, nowNanos) != null) split.reported(holder, arrivals, waiting);
    }

    /** The first request began to wait, or none waits any more: said at once. */
    public void asked(HolderId holder, int waiting) {
        if (reachableToTarget.containsKey(holder)) split.asked(holder, waiting);
    }

    /**
     * Its death is proven, and this owner has found itself still the highest claimant since. A share is a right to begin requests:
     * it comes home at once, empty, whatever still runs.
     */
    public void died(HolderId holder) {
        silent(holder);
        book.died(holder);
        book.settled(holder, replica, book.epoch());
    }

    /** Returns false for what is void. */
    public boolean returned(HolderId holder, long session, SharesMoved moved) {
        if (!book.returned(holder, session, replica, moved.shares())) return false;
        homeMicros += moved.fillMicros();
        return true;
    }

    /** Each {@link ShareSplit#PERIOD_NANOS}, and after {@link #asked}. */
    public List<ShareMove> plan(RateLimit limit, long nowNanos) {
        SortedMap<HolderId, Integer> held = new TreeMap<>(ShareSplit.BY_NAME);
        int available = book.grantable(replica);
        for (Map.Entry<HolderId, Integer> each : reachableToTarget.entrySet()) {
            int out = book.out(each.getKey(), replica);
            each.setValue(out);
            if (nowNanos - heardNanos.getOrDefault(each.getKey(), nowNanos) > SILENT_NANOS) continue;
            held.put(each.getKey(), out);
            available += out;
        }
        reachableToTarget.putAll(split.targets(limit, available, held, nowNanos));
        List<ShareMove> moves = new ArrayList<>();
        reachableToTarget.forEach((holder, target) -> {
            if (book.out(holder, replica) <= target) recalledTo.remove(holder);
            else if (!target.equals(recalledTo.put(holder, target))) moves.add(new ShareMove.Recall(holder, target));
        });
        grant(limit, moves);
        return moves;
    }

    /** After {@link #returned}: what is home goes to those whom the last plan gives more than they have. */
    public List<ShareMove> grants(RateLimit limit) {
        List<ShareMove> moves = new ArrayList<>();
        grant(limit, moves);
        return moves;
    }

    private void grant(RateLimit limit, List<ShareMove> moves) {
        reachableToTarget.forEach((holder, target) -> {
            int out = book.out(holder, replica);
            int home = book.grantable(replica);
            int shares = Math.min(target - out, home);
            // less than a lot would let nothing pass and fill for nobody else
            if (shares < 1 || out + shares < limit.lot()) return;
            long along = Math.min(homeMicros * shares / home, limit.burstMicros(shares));
            if (!book.grant(holder, replica, shares)) return;
            homeMicros = shares == home ? 0 : homeMicros - along;
            moves.add(new ShareMove.Grant(holder, new SharesMoved(shares, along)));
        });
    }

    public long homeMicros() {
        return homeMicros;
    }
}
