package dev.penstock.core.pick;

import dev.penstock.core.view.ReplicaEntry;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a decision says, in a buffer that its caller owns and uses again: a decision allocates nothing. It also remembers
 * which replicas this request has tried.
 */
public final class Routing {
    /** Replicas that one request may try: connects that fail cost no generation, but they cost time. */
    public static final int MAX_ATTEMPTS = 8;

    /** How a decision came out. */
    public enum Reason {
        /** The strategy's pick among replicas that nothing excludes. */
        STRATEGY,
        /** Another event loop had the index: the best of a few drawn ones. */
        CONTENDED,
        /** Every candidate is excluded by health rules: the best of the excluded. */
        PANIC,
        UNKNOWN_MODEL,
        /** The model is known, and nobody is left to send to. */
        NO_REPLICA,
        /** Nobody else has what the request goes on from. */
        BOUND,
        /** Who might have been sent to has no free slot. */
        NO_SLOT
    }

    private final Shortlist shortlist;
    private final int[] tried = new int[MAX_ATTEMPTS];
    private int attempts;
    private Reason reason = Reason.NO_REPLICA;
    private @Nullable ReplicaEntry replica;
    private int candidates;
    private int excluded;

    public Routing() {
        this(new Shortlist());
    }

    /** @param shortlist may be shared by all routings of one event loop: it tells of the loop's last decision */
    public Routing(Shortlist shortlist) {
        this.shortlist = shortlist;
    }

    public Reason reason() {
        return reason;
    }

    /** The replica to send to, or null when there is none (see {@link #reason}). */
    public @Nullable ReplicaEntry replica() {
        return replica;
    }

    /** Its number, 0 when there is none. */
    public int number() {
        return replica == null ? 0 : tried[attempts - 1];
    }

    /** Replicas the pick was made from: as mildly excluded as the picked one, and not tried. */
    public int candidates() {
        return candidates;
    }

    /** Replicas excluded by verdicts or this router's own quarantine, and not tried. */
    public int excluded() {
        return excluded;
    }

    /** What the last decision was made from; to be read before the event loop's next one. */
    public Shortlist shortlist() {
        return shortlist;
    }

    public int attempts() {
        return attempts;
    }

    public void clear() {
        attempts = 0;
        Arrays.fill(tried, 0);
        shortlist.start(0, 0, false);
        refused(Reason.NO_REPLICA);
    }

    /** The number of the replica of an attempt, 0 being the first. */
    int tried(int attempt) {
        return tried[attempt];
    }

    boolean hasTried(int number) {
        for (int i = 0; i < attempts; i++) {
            if (tried[i] == number) return true;
        }
        return false;
    }

    /** The last one was not sent to after all: its last slot was taken in between. */
    public void notSent() {
        attempts--;
        refused(Reason.NO_SLOT);
    }

    private void count() {
        candidates =
                shortlist.size() == 0 || !shortlist.standing(0).eligible() ? 0 : shortlist.count(shortlist.standing(0));
        excluded = shortlist.count(Standing.SOFT)
                + shortlist.count(Standing.QUARANTINED)
                + shortlist.count(Standing.HARD)
                + shortlist.count(Standing.EXCLUDED_NO_SLOT);
    }

    void routed(ReplicaEntry entry, int number, Reason reason) {
        count();
        this.replica = entry;
        this.reason = reason;
        tried[attempts++] = number;
    }

    void refused(Reason reason) {
        count();
        this.replica = null;
        this.reason = reason;
    }
}
