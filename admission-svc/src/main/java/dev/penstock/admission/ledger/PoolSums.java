package dev.penstock.admission.ledger;

import dev.penstock.core.ledger.OwnerBook;
import java.time.Duration;

/**
 * A pool's slots in numbers. Home, out, frozen and presumed together are the limits, while none was lowered below what is out.
 *
 * @param home nobody's, for sure
 * @param out at holders that live, or on their way
 * @param frozen of holders that are dead, until their engines are known to have stopped
 * @param presumed may be held by who has not reported in this epoch
 * @param holders with a stream
 * @param unprovenDead that may hold slots, have been silent for 10 s and are not known to have died
 */
record PoolSums(long home, long out, long frozen, long presumed, int holders, int unprovenDead) {
    static final PoolSums NONE = new PoolSums(0, 0, 0, 0, 0, 0);
    private static final long SILENT_NANOS = Duration.ofSeconds(10).toNanos();

    static PoolSums of(PoolLedger ledger, long nowNanos) {
        OwnerBook book = ledger.book();
        long home = 0;
        long presumed = 0;
        int replicas = ledger.seats().count();
        for (int i = 0; i < replicas; i++) {
            int nobodys = free(ledger, i);
            home += nobodys;
            presumed += Math.max(0, book.home(i)) - nobodys;
        }
        long out = 0;
        long frozen = 0;
        int open = 0;
        int unproven = 0;
        for (Holder holder : ledger.holders()) {
            long slots = 0;
            for (int i = 0; i < replicas; i++) slots += book.out(holder.id, i);
            if (holder.dead) frozen += slots;
            else out += slots;
            if (holder.follower != null) open++;
            else if (mayHold(holder, book, slots) && nowNanos - holder.silentSinceNanos > SILENT_NANOS) unproven++;
        }
        return new PoolSums(home, out, frozen, presumed, open, unproven);
    }

    /** Home, and not presumed to be anybody's. */
    static int free(PoolLedger ledger, int index) {
        OwnerBook book = ledger.book();
        int home = Math.max(0, book.home(index));
        return book.accounted(index) ? home : Math.min(home, book.grantable(index));
    }

    private static boolean mayHold(Holder holder, OwnerBook book, long slots) {
        if (holder.over()) return false;
        return slots > 0 || holder.presumed && book.session(holder.id) < 0;
    }
}
