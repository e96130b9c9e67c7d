package dev.penstock.core.rate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.ledger.HolderBook;
import dev.penstock.core.ledger.HolderId;
import dev.penstock.core.ledger.OwnerBook;
import dev.penstock.core.ledger.Rules;
import dev.penstock.core.ledger.Sync;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Three holders that want more than the limit, owners that replace each other, streams that are in order, late and cut at any
 * moment. Each step of 1 ms is judged: shares are conserved, and what all holders admitted fits one bucket of the whole limit.
 */
final class ShareFleet {
    static final long MILLI = 1_000_000L;
    private static final int HOLDERS = 3;
    private static final long MOST_DELAY = 40 * MILLI;

    /** Rounding of the fleet's own bucket. */
    private static final double EPSILON = 1e-6;

    private final SplittableRandom random;
    private final RateLimit limit;
    private final List<Owner> owners = new ArrayList<>();
    private final List<Holder> holders = new ArrayList<>();
    private double level;
    private long nowNanos;
    long admitted;

    private static final class Owner {
        final OwnerBook book;
        final ShareOwner shares;

        Owner(long epoch) {
            book = new OwnerBook(epoch, Rules.ALL);
            shares = new ShareOwner(book, 0);
        }
    }

    private static final class Link {
        final Owner owner;
        final long session;
        final Deque<Late> toOwner = new ArrayDeque<>();
        final Deque<Late> toHolder = new ArrayDeque<>();

        Link(Owner owner, long session) {
            this.owner = owner;
            this.session = session;
        }
    }

    private record Late(long dueNanos, Object message) {}

    private final class Holder {
        final HolderBook book;
        final ShareHolder shares;
        Link link;
        double pull = 1;

        Holder(String name) {
            book = new HolderBook(new HolderId(name, 1), 0, Rules.ALL);
            shares = new ShareHolder(book, 0, limit, nowNanos);
            link = new Link(owners.getLast(), -1);
        }

        void open() {
            cut();
            Sync sync = book.open(owners.getLast().book.epoch());
            link = new Link(owners.getLast(), sync.session());
            send(link.toOwner, sync);
        }

        void cut() {
            link.owner.shares.silent(book.id());
            link.toOwner.clear();
            link.toHolder.clear();
        }
    }

    ShareFleet(long milliRps, long seed) {
        random = new SplittableRandom(seed);
        limit = new RateLimit(milliRps);
        level = limit.burstMicros() / 1e6;
        claim();
        for (int i = 0; i < HOLDERS; i++) holders.add(new Holder("r" + i));
        owners.getLast().book.factsRead();
        for (Holder each : holders) owners.getLast().book.registered(each.book.id());
        for (Holder each : holders) each.open();
    }

    void claim() {
        Owner owner = new Owner(owners.size() + 1);
        owners.add(owner);
        for (Holder each : holders) owner.book.registered(each.book.id());
        if (!holders.isEmpty()) owner.book.factsRead();
    }

    void open(int holder) {
        holders.get(holder % HOLDERS).open();
    }

    void cut(int holder) {
        holders.get(holder % HOLDERS).cut();
    }

    /** From now on it asks so often, as a part of the limit. */
    void pull(int holder, double part) {
        holders.get(holder % HOLDERS).pull = part;
    }

    void run(long millis) {
        for (long i = 0; i < millis; i++) step();
    }

    private void step() {
        nowNanos += MILLI;
        level = Math.min(limit.burstMicros() / 1e6, level + limit.milliRps() / 1e6);
        for (Holder each : holders) {
            deliver(each);
            if (random.nextDouble() < each.pull && each.shares.bucket().tryAcquire(nowNanos)) {
                admitted++;
                level--;
            }
        }
        if (nowNanos % ShareSplit.PERIOD_NANOS == 0) {
            for (Holder each : holders)
                each.link.owner.shares.reported(
                        each.book.id(), (int) (each.pull * 100), each.pull > 0 ? 1 : 0, nowNanos);
            for (Owner each : owners) send(each, each.shares.plan(limit, nowNanos));
        }
        judge();
    }

    private void judge() {
        assertThat(level).as("left of the whole limit's bucket").isGreaterThan(-EPSILON);
        int held = 0;
        long fill = 0;
        for (Holder each : holders) {
            held += each.shares.bucket().shares();
            fill += each.shares.bucket().fillMicros(nowNanos);
            assertThat(each.shares.bucket().shares())
                    .isEqualTo(each.book.cell(0).held());
        }
        assertThat(held).isLessThanOrEqualTo(RateLimit.SHARES);
        assertThat(fill).isLessThanOrEqualTo(limit.burstMicros());
    }

    private void deliver(Holder holder) {
        Link link = holder.link;
        while (due(link.toOwner)) {
            Object message = link.toOwner.removeFirst().message();
            if (message instanceof Sync sync) {
                if (link.owner.book.sync(sync) == OwnerBook.Greeting.WELCOME)
                    link.owner.shares.reachable(holder.book.id(), nowNanos);
            } else if (link.owner.shares.returned(holder.book.id(), link.session, (SharesMoved) message)) {
                send(link.owner, link.owner.shares.grants(limit));
            }
        }
        while (due(link.toHolder)) {
            long epoch = link.owner.book.epoch();
            switch ((ShareMove) link.toHolder.removeFirst().message()) {
                case ShareMove.Grant grant -> holder.shares.granted(epoch, link.session, grant.moved(), nowNanos);
                case ShareMove.Recall recall -> {
                    SharesMoved moved = holder.shares.recalled(epoch, link.session, recall.target(), nowNanos);
                    if (moved.shares() > 0) send(link.toOwner, moved);
                }
            }
        }
    }

    private boolean due(Deque<Late> messages) {
        return !messages.isEmpty() && messages.getFirst().dueNanos() - nowNanos <= 0;
    }

    private void send(Owner owner, List<ShareMove> moves) {
        for (ShareMove move : moves)
            for (Holder each : holders)
                if (each.book.id().equals(move.to()) && each.link.owner == owner) send(each.link.toHolder, move);
    }

    private void send(Deque<Late> messages, Object message) {
        long due = nowNanos + random.nextLong(MOST_DELAY);
        if (!messages.isEmpty()) due = Math.max(due, messages.getLast().dueNanos());
        messages.addLast(new Late(due, message));
    }

    double expected(long millis) {
        return limit.milliRps() / 1e6 * millis;
    }
}
