package dev.penstock.core.ledger;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * A holder's side of one pool's ledger. Slots are lowered here before a RETURN is sent, and raised when a GRANT comes; only a SYNC
 * repairs what was lost on the way. One thread calls it; {@link SlotCell#admit} and {@link SlotCell#release} are everybody's.
 */
public final class HolderBook {
    private final HolderId id;
    private final long floorEpoch;
    private final Rules rules;
    private SlotCell[] cells = {};
    private long epoch = -1;
    private long session;
    private boolean connected;
    private boolean reading;
    private boolean left;

    /** @param floorEpoch of the highest claim that was read after the registration: no older one may grant to it */
    public HolderBook(HolderId id, long floorEpoch, Rules rules) {
        this.id = id;
        this.floorEpoch = floorEpoch;
        this.rules = rules;
    }

    public HolderId id() {
        return id;
    }

    public long epoch() {
        return epoch;
    }

    public long session() {
        return session;
    }

    /** The cell of a replica, from now on there. */
    public SlotCell cell(int replica) {
        if (replica >= cells.length) {
            int before = cells.length;
            cells = Arrays.copyOf(cells, replica + 1);
            for (int i = before; i < cells.length; i++) cells[i] = new SlotCell();
        }
        return cells[replica];
    }

    /** From now on that is the replica's cell: the one that decisions read. Slots held in another are forgotten with it. */
    public void cell(int replica, SlotCell cell) {
        cell(replica);
        cells[replica] = cell;
    }

    /** Whether a stream to this claim's owner may be opened. */
    public boolean mayFollow(long claim) {
        return claim >= floorEpoch && claim >= epoch;
    }

    /**
     * The snapshot for a new stream. The caller has stopped reading the stream before; whatever was on its way is void, and recalls
     * are forgotten, since the owner sends them again.
     */
    public Sync open(long claim) {
        if (!mayFollow(claim))
            throw new IllegalArgumentException("claim " + claim + " of an owner that can't be followed");
        epoch = claim;
        session++;
        connected = true;
        // One that leaves only has what it holds to give back.
        reading = !left || !rules.has(Rule.LEAVE_EMPTY);
        int[] held = new int[cells.length];
        for (int i = 0; i < cells.length; i++) {
            cells[i].keepAll();
            held[i] = cells[i].held();
        }
        return new Sync(id, claim, session, held);
    }

    /**
     * The stream is broken, and there is none until the next {@link #open}: recalls are forgotten, and nothing is given back into the void.
     * The owner counts all of it as out; here it can be used.
     */
    public void closed() {
        connected = false;
        reading = false;
        for (SlotCell each : cells) each.keepAll();
    }

    private boolean takes(long ofEpoch, long ofSession) {
        if (!reading) return false;
        return !rules.has(Rule.NEWEST_SESSION_ONLY) || ofEpoch == epoch && ofSession == session;
    }

    /** Returns false when it came by a stream that is void. */
    public boolean granted(long ofEpoch, long ofSession, int replica, int slots) {
        if (!takes(ofEpoch, ofSession)) return false;
        cell(replica).granted(slots);
        return true;
    }

    /** Returns the slots to RETURN at once; each used one above the target follows when it is released. */
    public int recalled(long ofEpoch, long ofSession, int replica, int target) {
        if (!takes(ofEpoch, ofSession)) return 0;
        cell(replica).recalled(target);
        return giveBack(replica);
    }

    /** Returns the slots to RETURN on the newest stream, because they were recalled; none while there is no stream. */
    public int giveBack(int replica) {
        return connected ? cell(replica).giveBack() : 0;
    }

    /** Likewise, because nobody here needs them. */
    public int giveBack(int replica, int most) {
        return connected ? cell(replica).giveBack(most) : 0;
    }

    /** Reads no grants any more, for good; RETURNs still go out. */
    public void leave() {
        left = true;
        reading = rules.has(Rule.LEAVE_EMPTY) ? false : reading;
    }

    /** Whether the deregistration may be written: it never admits again. */
    public boolean mayDeregister() {
        if (!rules.has(Rule.LEAVE_EMPTY)) return left;
        return left && Arrays.stream(cells).allMatch(cell -> cell.held() == 0);
    }

    public HolderBook copy() {
        HolderBook copy = new HolderBook(id, floorEpoch, rules);
        copy.cells = new SlotCell[cells.length];
        for (int i = 0; i < cells.length; i++) copy.cells[i] = cells[i].copy();
        copy.epoch = epoch;
        copy.session = session;
        copy.connected = connected;
        copy.reading = reading;
        copy.left = left;
        return copy;
    }

    /** Everything that its behaviour depends on, its name aside. */
    public void state(IntConsumer out) {
        out.accept((int) floorEpoch);
        out.accept((int) epoch);
        out.accept((int) session);
        out.accept((reading ? 1 : 0) + (left ? 2 : 0) + (connected ? 4 : 0));
        for (SlotCell cell : cells) {
            out.accept((int) cell.word());
            out.accept((int) (cell.word() >>> 32));
        }
    }
}
