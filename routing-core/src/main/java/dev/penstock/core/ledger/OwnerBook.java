package dev.penstock.core.ledger;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * The owner's side of one pool's ledger, for one epoch. A slot of a replica is home, out (held by a holder, or on its way to or
 * from it) or frozen (its holder is dead and its engine not yet known to have stopped):
 *
 * <pre>
 *   home = limit - sum of out, frozen ones among them
 * </pre>
 *
 * and is granted only when nobody can hold it unknown to this owner. One thread calls it.
 */
public final class OwnerBook {
    /** What becomes of a SYNC. */
    public enum Greeting {
        WELCOME,
        /** The holder follows another claim: close the stream. */
        OTHER_EPOCH,
        /** A newer stream of it has reported already. */
        OLD_SESSION,
        /** Not registered as far as was read: read the registrations to their end and ask once more. */
        UNKNOWN,
        /** Known to be dead or to have left. */
        GONE
    }

    private final long epoch;
    private final Rules rules;
    private final Map<HolderId, Account> accounts = new LinkedHashMap<>();
    private Shelf[] shelves = {};
    private boolean factsRead;

    /** One replica. */
    private static final class Shelf {
        int limit;
        /** The highest limit under which slots that nobody reported may have been granted, never below the limit. */
        int presumed;

        boolean draining;
        boolean thawing;
        /** Came back in this epoch and did not go out again. */
        int returned;

        Shelf copy() {
            Shelf copy = new Shelf();
            copy.limit = limit;
            copy.presumed = presumed;
            copy.draining = draining;
            copy.thawing = thawing;
            copy.returned = returned;
            return copy;
        }
    }

    public OwnerBook(long epoch, Rules rules) {
        this.epoch = epoch;
        this.rules = rules;
    }

    public long epoch() {
        return epoch;
    }

    /** Registrations, limits and lifecycle have been read to their ends, after the claim: grants may begin. */
    public void factsRead() {
        factsRead = true;
    }

    private Shelf shelf(int replica) {
        if (replica >= shelves.length) {
            int before = shelves.length;
            shelves = Arrays.copyOf(shelves, replica + 1);
            for (int i = before; i < shelves.length; i++) shelves[i] = new Shelf();
        }
        return shelves[replica];
    }

    /** Of a replica whose limit was never higher, or as this owner told the book before. */
    public void limit(int replica, int slots) {
        limit(replica, slots, slots);
    }

    /**
     * Only the limit changes: what is out above it comes back as it is released, and what comes back first is gone.
     *
     * @param presumedSlots the highest limit that the replica ever had; {@link SlotCell#MOST} when that is not known: then nothing
     *     goes out before all have reported
     */
    public void limit(int replica, int slots, int presumedSlots) {
        if (slots < 0 || slots > SlotCell.MOST) throw new IllegalArgumentException("limit: " + slots);
        Shelf shelf = shelf(replica);
        int before = rules.has(Rule.PRESUME_HIGHEST_LIMIT) ? presumedSlots : 0;
        shelf.presumed = Math.max(shelf.presumed, Math.max(slots, before));
        shelf.limit = slots;
    }

    public void draining(int replica, boolean draining) {
        shelf(replica).draining = draining;
    }

    /**
     * A dead holder's slots wait there for an engine that is never idle ({@link Thaw#isHeldUp}): until they are settled none goes out
     * and all are recalled, which lets the engine become idle.
     */
    public void thawing(int replica, boolean thawing) {
        shelf(replica).thawing = thawing;
    }

    /** Read in the registrations. Who registered after this owner's facts were read can hold no slot of an older epoch. */
    public void registered(HolderId id) {
        accounts.computeIfAbsent(id, unknown -> new Account(!factsRead));
    }

    /**
     * It had given everything back, and takes nothing that is on its way.
     *
     * @param lastEpoch that it followed, as it wrote itself; what it held here it gave back there, if that is a higher one
     */
    public void deregistered(HolderId id, long lastEpoch) {
        if (lastEpoch > epoch && rules.has(Rule.LEFT_HERE_OR_EARLIER)) return;
        Account account = accounts.get(id);
        if (account != null) account.deregistered();
    }

    /** Proven; its slots are frozen until {@link #settled}. Of one that nothing else is known of, too: its record may be all that is left. */
    public void died(HolderId id) {
        accounts.computeIfAbsent(id, unknown -> new Account(!factsRead)).died();
    }

    /**
     * The engine is known to have stopped whatever a dead holder had sent there.
     *
     * @param byEpoch of the owner that found so; a higher one's word is not taken
     */
    public void settled(HolderId id, int replica, long byEpoch) {
        if (byEpoch > epoch && rules.has(Rule.SETTLED_BY_EARLIER)) return;
        Account account = accounts.get(id);
        if (account != null) account.settled(replica);
    }

    /** Its slots at a replica wait for a thaw, or are presumed to. */
    public boolean frozen(HolderId id, int replica) {
        Account account = accounts.get(id);
        return account != null && account.frozen(replica);
    }

    /** What would become of a SYNC by who says so, in whatever it says. */
    public Greeting greeting(HolderId id, long ofEpoch, long session) {
        if (ofEpoch != epoch) return Greeting.OTHER_EPOCH;
        Account account = accounts.get(id);
        if (account == null) return Greeting.UNKNOWN;
        if (silenced(account)) return Greeting.GONE;
        return session <= account.session() ? Greeting.OLD_SESSION : Greeting.WELCOME;
    }

    public Greeting sync(Sync sync) {
        Greeting greeting = greeting(sync.holder(), sync.epoch(), sync.session());
        Account account = accounts.get(sync.holder());
        if (greeting != Greeting.WELCOME || account == null) return greeting;
        for (int held : sync.held()) {
            if (held < 0 || held > SlotCell.MOST) {
                throw new IllegalArgumentException("held: " + held + ", expected 0 to " + SlotCell.MOST);
            }
        }
        boolean before = account.reported();
        int replicas = Math.max(shelves.length, sync.held().length);
        for (int i = 0; i < replicas; i++) {
            int held = i < sync.held().length ? sync.held()[i] : 0;
            // What was on its way in either direction is void, and known to be nobody's.
            if (before) shelf(i).returned += Math.max(0, account.out(i) - held);
            account.out(i, held);
        }
        account.session(sync.session());
        return Greeting.WELCOME;
    }

    private boolean silenced(Account account) {
        return account.over() && rules.has(Rule.DEAD_SAY_NOTHING);
    }

    /** Returns false for what is void. */
    public boolean returned(HolderId id, long session, int replica, int slots) {
        if (slots < 1) throw new IllegalArgumentException("returned: " + slots + ", expected at least 1");
        Account account = accounts.get(id);
        if (account == null || silenced(account) || session != account.session()) return false;
        account.out(replica, account.out(replica) - slots);
        shelf(replica).returned += slots;
        return true;
    }

    /** Raises what is out; the caller then sends the GRANT. Returns false when that many may not be granted. */
    public boolean grant(HolderId id, int replica, int slots) {
        Account account = accounts.get(id);
        if (account == null || !account.reported() || account.over()) return false;
        if (slots < 1 || slots > grantable(replica)) return false;
        account.out(replica, account.out(replica) + slots);
        shelf(replica).returned -= slots;
        return true;
    }

    /** Slots that may go out now. */
    public int grantable(int replica) {
        Shelf shelf = shelf(replica);
        if (!factsRead) return 0;
        if (shelf.thawing || shelf.draining && rules.has(Rule.DRAINING_GETS_NONE)) return 0;
        int home = home(replica);
        int cameBack = shelf.returned - (shelf.presumed - shelf.limit);
        return Math.max(0, accounted(replica) ? home : Math.min(home, cameBack));
    }

    /** Everybody who may hold a slot of it has said so, or can't any more. */
    public boolean accounted(int replica) {
        if (!rules.has(Rule.PRESUME_HELD)) return true;
        for (Account account : accounts.values()) if (!account.accounted(replica)) return false;
        return true;
    }

    /** Of the limit, what nobody is known to hold; below 0 after a lowered limit. */
    public int home(int replica) {
        int out = 0;
        for (Account account : accounts.values()) out += account.out(replica);
        return shelf(replica).limit - out;
    }

    public int limit(int replica) {
        return shelf(replica).limit;
    }

    public boolean isDraining(int replica) {
        return shelf(replica).draining;
    }

    /** It drains or thaws: none goes out, and all are recalled. */
    public boolean isResting(int replica) {
        Shelf shelf = shelf(replica);
        return shelf.draining || shelf.thawing;
    }

    /**
     * Forgets a holder that left, or is dead and settled at every replica. Called once the roster was read to its end after its end
     * was known: at later replicas it holds nothing. What it still says is void, as of one never heard of.
     *
     * @return false, and nothing is forgotten, while it may hold something
     */
    public boolean forget(HolderId id) {
        Account account = accounts.get(id);
        if (account == null || !account.isOverAt(shelves.length)) return false;
        accounts.remove(id);
        return true;
    }

    /**
     * Forgets a replica, so that its index may stand for another one, of which it is known as little as of any new one.
     *
     * @param engineGone its engine's process is known to have ended: slots of it that are out are void, and a RETURN of them is not
     *     to be handed in any more
     * @return false, and nothing is forgotten, while slots of it may be out
     */
    public boolean forgetReplica(int replica, boolean engineGone) {
        boolean allHome = factsRead && accounted(replica) && home(replica) == shelf(replica).limit;
        if (!allHome && !engineGone) return false;
        for (Account account : accounts.values()) account.forget(replica);
        shelves[replica] = new Shelf();
        return true;
    }

    public boolean knows(HolderId id) {
        return accounts.containsKey(id);
    }

    public int out(HolderId id, int replica) {
        Account account = accounts.get(id);
        return account == null ? 0 : account.out(replica);
    }

    /** Nothing is out and nothing presumed to be, and nothing will go out: the first half of drained. */
    public boolean allHome(int replica) {
        Shelf shelf = shelf(replica);
        return factsRead && shelf.draining && accounted(replica) && home(replica) == shelf.limit;
    }

    /** Of the newest stream that reported in this epoch; below 0 when none did. */
    public long session(HolderId id) {
        Account account = accounts.get(id);
        return account == null ? -1 : account.session();
    }

    public OwnerBook copy() {
        OwnerBook copy = new OwnerBook(epoch, rules);
        accounts.forEach((id, account) -> copy.accounts.put(id, account.copy()));
        copy.shelves = new Shelf[shelves.length];
        for (int i = 0; i < shelves.length; i++) copy.shelves[i] = shelves[i].copy();
        copy.factsRead = factsRead;
        return copy;
    }

    /** Everything that its behaviour depends on. */
    public void state(IntConsumer out) {
        out.accept((int) epoch);
        out.accept(factsRead ? 1 : 0);
        for (Shelf shelf : shelves) {
            out.accept(shelf.limit);
            out.accept(shelf.presumed);
            out.accept((shelf.draining ? 1 : 0) + (shelf.thawing ? 2 : 0));
            out.accept(shelf.returned);
        }
        accounts.forEach((id, account) -> {
            out.accept((int) id.nonce());
            account.state(out);
        });
    }
}
