package dev.penstock.ledgermodel.slots;

import dev.penstock.core.ledger.Distribution;
import dev.penstock.core.ledger.HolderId;
import dev.penstock.core.ledger.Moves;
import dev.penstock.core.ledger.OwnerBook;
import dev.penstock.core.ledger.Rules;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** The owner: the production book and distribution, with a stream to each router. */
final class SlotOwner implements Moves {
    static final long EPOCH = 1;

    private final SlotFleet fleet;
    private final OwnerBook book = new OwnerBook(EPOCH, Rules.ALL);
    private final Distribution distribution;
    private final Map<HolderId, Stream> streams = new LinkedHashMap<>();

    private record Stream(SlotRouter router, Wire wire) {}

    SlotOwner(SlotFleet fleet, SplittableRandom random) {
        this.fleet = fleet;
        distribution = new Distribution(book, random, this);
        for (int i = 0; i < fleet.scene().replicas(); i++)
            book.limit(i, fleet.scene().limit());
        distribution.replicas(fleet.scene().replicas());
        book.factsRead();
    }

    void joined(SlotRouter router, Wire wire) {
        HolderId id = router.book().id();
        streams.put(id, new Stream(router, wire));
        book.registered(id);
        if (book.sync(router.book().open(EPOCH)) != OwnerBook.Greeting.WELCOME)
            throw new IllegalStateException("refused");
        distribution.joined(id);
    }

    void rebalance() {
        if (fleet.policy().moves) distribution.rebalance();
    }

    /** What is home, in equal parts to who is there; what does not divide goes round. */
    void split() {
        HolderId[] ids = streams.keySet().toArray(HolderId[]::new);
        for (int i = 0; i < fleet.scene().replicas(); i++) {
            int home = book.grantable(i);
            for (int g = 0; g < ids.length; g++) {
                HolderId id = ids[(g + i) % ids.length];
                int slots = home / ids.length + (g < home % ids.length ? 1 : 0);
                if (slots > 0 && book.grant(id, i, slots)) grant(id, i, slots);
            }
        }
    }

    void reported(SlotRouter from, int[] used, int waiting, int arrivals) {
        if (fleet.policy().moves) distribution.reported(from.book().id(), used, waiting, arrivals);
    }

    void asked(SlotRouter from, int more) {
        distribution.asked(from.book().id(), more);
    }

    void returned(SlotRouter from, long session, int replica, int slots) {
        if (!distribution.returned(from.book().id(), session, replica, slots)) throw new IllegalStateException("void");
    }

    @Override
    public void grant(HolderId to, int replica, int slots) {
        fleet.tally().moved(slots, fleet.time().nowNanos());
        Stream stream = streams.get(to);
        if (stream != null) stream.wire().send(() -> stream.router().granted(replica, slots));
    }

    @Override
    public void recall(HolderId from, int replica, int target) {
        Stream stream = streams.get(from);
        if (stream != null) stream.wire().send(() -> stream.router().recalled(replica, target));
    }
}
