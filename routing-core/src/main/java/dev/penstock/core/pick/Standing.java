package dev.penstock.core.pick;

import dev.penstock.core.view.ReplicaCell;

/** How a replica of the pool stands to one request; those that come first are preferred. */
public enum Standing {
    ROUTABLE,
    /** New, and this router has there what it should for now. */
    RAMPING,
    /** health-svc: some requests fail, or on its way back without a permit for this router. */
    SOFT,
    /** This router's own quarantine. */
    QUARANTINED,
    /** health-svc: nothing works. */
    HARD,
    /** This request was there before. */
    TRIED,
    /** Never seen FRESH, or asleep. */
    NOT_CANDIDATE;

    static final int COUNT = values().length;
    private static final int CLASSES = ReplicaCell.Exclusion.values().length;
    private static final Standing[] STANDINGS = values();

    /** @param inClass a place in {@link ReplicaCell.Exclusion}, or beyond */
    static Standing ofClass(int inClass) {
        return inClass < CLASSES ? STANDINGS[inClass] : NOT_CANDIDATE;
    }

    /** What it is ranked as: a new replica has as many as it should, and what is pinned there is among them. */
    public Standing rank(int warmth) {
        return this == RAMPING && Warmth.tie(warmth) == Warmth.Tie.PINNED ? ROUTABLE : this;
    }

    boolean is(ReplicaCell.Exclusion exclusion) {
        return ordinal() == exclusion.ordinal();
    }

    /** True when a request may be sent there, if only in panic. */
    public boolean eligible() {
        return this != TRIED && this != NOT_CANDIDATE;
    }

    /** True when nothing is wrong with it. */
    public boolean sound() {
        return this == ROUTABLE || this == RAMPING;
    }
}
