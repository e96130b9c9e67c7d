package dev.penstock.core.ledger;

import java.util.Arrays;

/** What a {@link Distribution} knows of one holder that takes part. */
final class Standing {
    /** Fewer arrivals per period than this are chance, and weigh as much. */
    private static final double LEAST_WEIGHT = 1;

    private static final double EWMA = 0.5;

    final HolderId id;

    /** By replica, as last reported; since then what was granted for waiters. */
    int[] used = {};

    /** By replica, of the last period. */
    int[] target = {};

    /** By replica: what it was told it may keep. */
    int[] keep = {};

    /** Without a slot, those asked for since the last report too. */
    int waiters;

    /** Of the waiters, those for whom a spare slot was recalled since the last report. */
    int coming;

    /** Slots that it may keep and does not use, of all replicas. */
    int spare;

    /** Where the search for a spare slot goes on. */
    int cursor;

    /** Of the replica that is being rebalanced. */
    int recalled;

    private double demand;
    private double due;
    private long had;

    Standing(HolderId id) {
        this.id = id;
    }

    void grow(int replicas) {
        int before = used.length;
        if (replicas <= before) return;
        used = Arrays.copyOf(used, replicas);
        target = Arrays.copyOf(target, replicas);
        keep = Arrays.copyOf(keep, replicas);
        Arrays.fill(keep, before, replicas, SlotCell.MOST);
    }

    /** Spare slots there may be counted on until the next report; a search for them finds none. */
    void forget(int replica) {
        used[replica] = 0;
        target[replica] = 0;
        keep[replica] = SlotCell.MOST;
    }

    void arrived(int requests) {
        demand += EWMA * (requests - demand);
    }

    double weight() {
        return Math.max(LEAST_WEIGHT, demand);
    }

    void startPlan() {
        due = 0;
        had = 0;
    }

    void plan(int replica, double share, int slots, int out) {
        target[replica] = slots;
        due += share - used[replica];
        had += out - used[replica];
    }

    /** Of all replicas, it has less than half of the free slots that it should have. */
    boolean isLean() {
        return had < due / 2;
    }

    int spare(int replica, int out) {
        return Math.max(0, Math.min(out, keep[replica]) - used[replica]);
    }
}
