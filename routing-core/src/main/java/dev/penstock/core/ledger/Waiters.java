package dev.penstock.core.ledger;

import java.util.List;

/**
 * Requests without a slot wait for any replica of the pool. Here they count at those with free slots, in proportion to them; what
 * goes beyond all free slots counts at all replicas, in proportion to their limits.
 */
final class Waiters {
    private int[] free = {};
    private int[] limits = {};
    private double perFree;
    private double perSlot;

    void spread(OwnerBook book, List<Standing> holders, int replicas) {
        if (free.length < replicas) {
            free = new int[replicas];
            limits = new int[replicas];
        }
        long all = 0;
        for (Standing each : holders) all += each.waiters;
        long allFree = 0;
        long allSlots = 0;
        for (int i = 0; i < replicas; i++) {
            limits[i] = book.isDraining(i) ? 0 : book.limit(i);
            free[i] = limits[i] == 0 ? 0 : free(book, holders, i);
            allFree += free[i];
            allSlots += limits[i];
        }
        double fitting = all == 0 ? 0 : Math.min(1, (double) allFree / all);
        perFree = allFree == 0 ? 0 : fitting / allFree;
        perSlot = allSlots == 0 ? 0 : (1 - fitting) / allSlots;
    }

    private static int free(OwnerBook book, List<Standing> holders, int replica) {
        int free = book.grantable(replica);
        for (Standing each : holders) free += Math.max(0, book.out(each.id, replica) - each.used[replica]);
        return free;
    }

    /** How many of a holder's waiters count at a replica. */
    double at(int replica, int waiters) {
        return waiters * (free[replica] * perFree + limits[replica] * perSlot);
    }
}
