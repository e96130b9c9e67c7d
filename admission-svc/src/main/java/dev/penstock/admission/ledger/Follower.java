package dev.penstock.admission.ledger;

import dev.penstock.core.ledger.HolderId;
import java.util.ArrayDeque;
import java.util.Deque;

/** A stream whose SYNC has come: what a {@link PoolLedger} gives out for it, to be handed in with each further message. */
public final class Follower {
    /** RETURNs that may wait until registrations are read: as many as a holder sends in some seconds. */
    private static final int MOST_WAITING = 1_024;

    final HolderId id;
    final long session;
    final HolderPort port;
    final Outbox outbox;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean welcome;
    private boolean over;

    Follower(HolderId id, long session, HolderPort port, ReplicaIndexes indexes) {
        this.id = id;
        this.session = session;
        this.port = port;
        outbox = new Outbox(port, indexes);
    }

    boolean isOver() {
        return over;
    }

    /** Nothing is taken from it any more. */
    void end() {
        over = true;
        waiting.clear();
    }

    void refuse(Refusal reason) {
        if (over) return;
        end();
        port.refused(reason);
    }

    /** Once it was told so: takes what came before. */
    void welcomed() {
        welcome = true;
        while (!over && !waiting.isEmpty()) waiting.remove().run();
    }

    /** Now, or once it is welcome. */
    void take(Runnable message) {
        if (over) return;
        if (welcome) message.run();
        else if (waiting.size() < MOST_WAITING) waiting.add(message);
        else refuse(Refusal.MALFORMED);
    }
}
