package dev.penstock.admission.ledger;

import dev.penstock.core.ledger.HolderBook;
import dev.penstock.core.ledger.HolderId;
import dev.penstock.core.ledger.Rules;
import dev.penstock.core.ledger.SlotCell;
import dev.penstock.core.ledger.Sync;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A holder with the production book, and streams whose messages arrive when the test says so. */
final class MemoryHolder {
    final HolderId id;
    final HolderBook book;
    final ReplicaIndexes indexes = new ReplicaIndexes();
    final List<Link> links = new ArrayList<>();

    /** One stream. */
    final class Link implements HolderPort {
        final PoolLedger ledger;
        final long epoch;
        final long session;
        final Deque<Runnable> toOwner = new ArrayDeque<>();
        final Deque<Runnable> toHolder = new ArrayDeque<>();
        boolean welcome;
        int welcomes;
        boolean closed;
        boolean breaksWhenWritten;

        @Nullable
        Refusal refusal;

        @Nullable
        Follower follower;

        Link(PoolLedger ledger, Sync sync) {
            this.ledger = ledger;
            this.epoch = sync.epoch();
            this.session = sync.session();
        }

        @Override
        public void welcome() {
            welcomes++;
            toHolder.add(() -> welcome = true);
        }

        @Override
        public void refused(Refusal reason) {
            refusal = reason;
            closed = true;
        }

        @Override
        public void granted(int[] numbers, int[] slots) {
            if (breaksWhenWritten) cut();
            if (closed) return;
            toHolder.add(() -> {
                for (int i = 0; i < numbers.length; i++)
                    book.granted(epoch, session, indexes.give(numbers[i]), slots[i]);
            });
        }

        @Override
        public void recalled(int[] numbers, int[] targets) {
            if (breaksWhenWritten) cut();
            if (closed) return;
            toHolder.add(() -> {
                for (int i = 0; i < numbers.length; i++) {
                    int index = indexes.give(numbers[i]);
                    send(index, book.recalled(epoch, session, index, targets[i]));
                }
            });
        }

        @Override
        public void close() {
            closed = true;
        }

        /** What is on its way is lost; the owner hears of it. */
        void cut() {
            toOwner.clear();
            toHolder.clear();
            Follower known = follower;
            if (known != null) ledger.ended(known);
            closed = true;
        }

        boolean deliver() {
            boolean some = !toOwner.isEmpty() || !toHolder.isEmpty();
            if (!toOwner.isEmpty()) toOwner.remove().run();
            if (!toHolder.isEmpty()) toHolder.remove().run();
            return some;
        }
    }

    MemoryHolder(HolderId id, long floorEpoch) {
        this.id = id;
        book = new HolderBook(id, floorEpoch, Rules.ALL);
    }

    /** A new stream; whatever came by the one before is not read any more. */
    Link open(LedgerScene.Owner owner) {
        for (Link each : links) each.toHolder.clear();
        for (int i = 0; i < indexes.count(); i++) book.cell(i);
        Sync sync = book.open(owner.epoch);
        Link link = new Link(owner.ledger, sync);
        int[] numbers = numbers();
        int[] held = sync.held();
        int[] used = used();
        link.toOwner.add(() -> {
            if (!link.closed)
                link.follower = owner.ledger.sync(link, id, link.epoch, link.session, numbers, held, used, 0);
        });
        links.add(link);
        return link;
    }

    /** Opens a stream and lets everything arrive. */
    MemoryHolder connected(LedgerScene.Owner owner) {
        open(owner);
        deliverAll();
        return this;
    }

    @Nullable
    Link newest() {
        return links.isEmpty() ? null : links.getLast();
    }

    void deliverAll() {
        Link link = newest();
        while (link != null && link.deliver()) {}
    }

    void report(int waiters, int arrivals) {
        Link link = newest();
        if (link == null) return;
        int[] numbers = numbers();
        int[] used = used();
        link.toOwner.add(() -> {
            Follower follower = link.follower;
            if (follower != null) link.ledger.reported(follower, numbers, used, waiters, arrivals);
        });
    }

    void ask(int waiters) {
        Link link = newest();
        if (link == null) return;
        link.toOwner.add(() -> {
            Follower follower = link.follower;
            if (follower != null) link.ledger.asked(follower, waiters);
        });
    }

    boolean admit(int number) {
        return cell(number).admit();
    }

    void release(int number) {
        int index = indexes.give(number);
        if (cell(number).release()) send(index, book.giveBack(index));
    }

    /** Gives back what is free. */
    void giveBack(int number) {
        int index = indexes.give(number);
        send(index, book.giveBack(index, Integer.MAX_VALUE));
    }

    private void send(int index, int slots) {
        Link link = newest();
        if (slots == 0 || link == null) return;
        int number = indexes.number(index);
        link.toOwner.add(() -> {
            Follower follower = link.follower;
            if (follower != null) link.ledger.returned(follower, new int[] {number}, new int[] {slots});
        });
    }

    SlotCell cell(int number) {
        return book.cell(indexes.give(number));
    }

    int held(int number) {
        return cell(number).held();
    }

    int[] numbers() {
        int[] numbers = new int[indexes.count()];
        for (int i = 0; i < numbers.length; i++) numbers[i] = indexes.number(i);
        return numbers;
    }

    private int[] used() {
        int[] used = new int[indexes.count()];
        for (int i = 0; i < used.length; i++) used[i] = book.cell(i).used();
        return used;
    }
}
