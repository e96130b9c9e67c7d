package dev.penstock.ledgermodel.slots;

import dev.penstock.core.ledger.HolderBook;
import dev.penstock.core.ledger.SlotCell;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;

/** A router: it admits from the slots it holds, keeps who found none for a while, and sends what its book says. */
final class SlotRouter {
    private static final int LOOKED_AT = 4;

    private final HolderBook book;
    private final SlotFleet fleet;
    private final Wire toOwner;
    private final SplittableRandom random;
    private final Deque<Request> waiting = new ArrayDeque<>();
    private int arrivals;

    SlotRouter(HolderBook book, SlotFleet fleet, Wire toOwner, SplittableRandom random) {
        this.book = book;
        this.fleet = fleet;
        this.toOwner = toOwner;
        this.random = random;
    }

    HolderBook book() {
        return book;
    }

    void arrived(Request request) {
        arrivals++;
        int replica = pick();
        if (replica >= 0 && book.cell(replica).admit()) {
            start(request, replica);
            return;
        }
        waiting.add(request);
        fleet.time().after(fleet.patienceNanos(), () -> gaveUp(request));
        if (fleet.policy().asks) toOwner.send(() -> fleet.owner().asked(this, 1));
    }

    private void gaveUp(Request request) {
        if (waiting.remove(request)) fleet.tally().rejected(request);
    }

    /** The most free slots among a few that are free, as a load index would; below 0 when there is none. */
    private int pick() {
        int replicas = fleet.scene().replicas();
        int best = -1;
        for (int i = 0; i < LOOKED_AT; i++) best = better(best, random.nextInt(replicas));
        int start = random.nextInt(replicas);
        for (int i = 0; i < replicas && best < 0; i++) best = better(best, (start + i) % replicas);
        return best;
    }

    private int better(int best, int replica) {
        SlotCell cell = book.cell(replica);
        if (!cell.free()) return best;
        return best < 0 || free(cell) > free(book.cell(best)) ? replica : best;
    }

    private static int free(SlotCell cell) {
        return cell.held() - cell.used();
    }

    private void start(Request request, int replica) {
        fleet.started(request, replica);
        fleet.time().after(request.serviceNanos(), () -> ended(replica));
    }

    private void ended(int replica) {
        fleet.ended(replica);
        if (book.cell(replica).release()) giveBack(replica, book.giveBack(replica));
        pull(replica);
    }

    private void pull(int replica) {
        while (!waiting.isEmpty() && book.cell(replica).admit()) start(waiting.remove(), replica);
    }

    private void giveBack(int replica, int slots) {
        if (slots == 0) return;
        long session = book.session();
        toOwner.send(() -> fleet.owner().returned(this, session, replica, slots));
    }

    void granted(int replica, int slots) {
        book.granted(book.epoch(), book.session(), replica, slots);
        pull(replica);
    }

    void recalled(int replica, int target) {
        giveBack(replica, book.recalled(book.epoch(), book.session(), replica, target));
        pull(replica);
    }

    void report() {
        int[] used = new int[fleet.scene().replicas()];
        for (int i = 0; i < used.length; i++) used[i] = book.cell(i).used();
        int waiters = waiting.size();
        int since = arrivals;
        arrivals = 0;
        toOwner.send(() -> fleet.owner().reported(this, used, waiters, since));
    }
}
