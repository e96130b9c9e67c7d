package dev.penstock.core.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/** A pool with its owner and holders; what they send each other arrives when {@link #deliver} is called. */
final class HeldPool implements Moves {
    final OwnerBook owner = new OwnerBook(1, Rules.ALL);
    final Distribution distribution;
    final List<HolderBook> holders = new ArrayList<>();
    final List<String> sent = new ArrayList<>();

    private final Deque<Runnable> wire = new ArrayDeque<>();
    private final int replicas;

    HeldPool(int holders, int replicas, int limit, long seed) {
        this.replicas = replicas;
        distribution = new Distribution(owner, new SplittableRandom(seed), this);
        for (int i = 0; i < replicas; i++) owner.limit(i, limit);
        distribution.replicas(replicas);
        owner.factsRead();
        for (int g = 0; g < holders; g++) {
            HolderBook holder = new HolderBook(new HolderId("r" + g, g), 0, Rules.ALL);
            this.holders.add(holder);
            owner.registered(holder.id());
            owner.sync(holder.open(1));
            distribution.joined(holder.id());
        }
    }

    @Override
    public void grant(HolderId to, int replica, int slots) {
        sent.add("GRANT " + to.name() + " " + replica + " " + slots);
        wire.add(() -> holder(to).granted(1, holder(to).session(), replica, slots));
    }

    @Override
    public void recall(HolderId from, int replica, int target) {
        sent.add("RECALL " + from.name() + " " + replica + " " + (target == SlotCell.MOST ? "all" : target));
        wire.add(() -> returns(
                holder(from), replica, holder(from).recalled(1, holder(from).session(), replica, target)));
    }

    private void returns(HolderBook from, int replica, int slots) {
        if (slots > 0) wire.add(() -> distribution.returned(from.id(), from.session(), replica, slots));
    }

    private HolderBook holder(HolderId id) {
        return holders.get((int) id.nonce());
    }

    void deliver() {
        while (!wire.isEmpty()) wire.remove().run();
    }

    boolean admit(int holder, int replica) {
        return holders.get(holder).cell(replica).admit();
    }

    void release(int holder, int replica) {
        HolderBook book = holders.get(holder);
        if (book.cell(replica).release()) returns(book, replica, book.giveBack(replica));
        deliver();
    }

    int held(int holder, int replica) {
        return holders.get(holder).cell(replica).held();
    }

    int used(int holder, int replica) {
        return holders.get(holder).cell(replica).used();
    }

    void report(int holder, int waiters, int arrivals) {
        int[] used = new int[replicas];
        for (int i = 0; i < replicas; i++) used[i] = used(holder, i);
        distribution.reported(holders.get(holder).id(), used, waiters, arrivals);
        deliver();
    }

    void ask(int holder, int waiters) {
        distribution.asked(holders.get(holder).id(), waiters);
        deliver();
    }

    void rebalance() {
        distribution.rebalance();
        deliver();
    }
}
