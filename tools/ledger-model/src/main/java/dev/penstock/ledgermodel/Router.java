package dev.penstock.ledgermodel;

import dev.penstock.core.ledger.HolderBook;
import dev.penstock.core.ledger.HolderId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** One incarnation of a router, and what it has at engines, which outlives it. */
final class Router extends Part {
    enum Phase {
        NOT_STARTED,
        REGISTERED,
        ENROLLED,
        LEAVING,
        LEFT,
        DEAD
    }

    final HolderId id;
    Phase phase = Phase.NOT_STARTED;
    /** Its registration was written. */
    boolean registered;
    /** The epoch of the highest claim that it has read. */
    int claim = -1;

    @Nullable
    HolderBook book;

    List<Link> links = new ArrayList<>(2);
    /** Requests by replica that have a slot and are not written yet. */
    final int[] admitted;

    /** Written, and in this process's socket: only where death does not take them with it. */
    final int[] socket;
    /** At the engine, which need not show them in its gauges while nobody looks. */
    final int[] front;
    /** Since before the last scrape: they show in the next one. */
    final int[] frontOld;
    /** In the gauges, of a process that is gone. */
    final int[] running;
    /** At engines, and forgotten by a router that released their slots too early. */
    final int[] ghosts;

    Router(int number, int names, int replicas) {
        this(
                new HolderId("r" + number % names, number),
                new int[replicas],
                new int[replicas],
                new int[replicas],
                new int[replicas],
                new int[replicas],
                new int[replicas]);
    }

    private Router(
            HolderId id, int[] admitted, int[] socket, int[] front, int[] frontOld, int[] running, int[] ghosts) {
        this.id = id;
        this.admitted = admitted;
        this.socket = socket;
        this.front = front;
        this.frontOld = frontOld;
        this.running = running;
        this.ghosts = ghosts;
    }

    boolean alive() {
        return phase != Phase.NOT_STARTED && phase != Phase.DEAD && phase != Phase.LEFT;
    }

    boolean admits() {
        return phase == Phase.ENROLLED || phase == Phase.LEAVING;
    }

    /** Sent and not ended at the engine. */
    int inFlight(int replica) {
        return socket[replica] + front[replica] + frontOld[replica] + running[replica] + ghosts[replica];
    }

    /** All that its book says is used. */
    int requests(int replica) {
        return admitted[replica] + inFlight(replica);
    }

    int held(int replica) {
        return book == null ? 0 : book.cell(replica).held();
    }

    @Nullable
    Link newest() {
        return links.isEmpty() ? null : links.getLast();
    }

    Router copy() {
        Router copy = new Router(
                id, admitted.clone(), socket.clone(), front.clone(), frontOld.clone(), running.clone(), ghosts.clone());
        copy.phase = phase;
        copy.registered = registered;
        copy.claim = claim;
        copy.book = book == null ? null : book.copy();
        for (Link link : links) copy.links.add(link.copy());
        return copy;
    }

    @Override
    void state(IntConsumer out) {
        out.accept(phase.ordinal() + (registered ? 16 : 0));
        out.accept(claim);
        if (book != null && phase != Phase.DEAD && phase != Phase.LEFT) book.state(out);
        for (Link link : links) link.state(out);
        for (int i = 0; i < socket.length; i++) {
            out.accept(admitted[i]
                    | socket[i] << 4
                    | front[i] << 8
                    | frontOld[i] << 12
                    | running[i] << 16
                    | ghosts[i] << 20);
        }
    }

    @Override
    public String toString() {
        String held = "";
        for (int i = 0; i < socket.length; i++) {
            held += " " + i + ": held " + held(i) + " admitted " + admitted[i] + " socket " + socket[i] + " engine "
                    + (front[i] + frontOld[i] + running[i] + ghosts[i]);
        }
        return id + " " + phase + " claim " + claim + held + " " + Arrays.toString(links.toArray());
    }
}
