package dev.penstock.core.pick;

import dev.penstock.core.view.ReplicaCell;

/** How a replica of the pool stands to one request; those that come first are preferred. */
public enum Standing {
    ROUTABLE,
    /** New, and this router has there what it should for now. */
    RAMPING,
    /** Sound, and no slot of it is free: worth waiting for. */
    NO_SLOT,
    /** health-svc: some requests fail, or on its way back without a permit for this router. */
    SOFT,
    /** This router's own quarantine. */
    QUARANTINED,
    /** health-svc: nothing works. */
    HARD,
    /** Excluded by one of those, and without a free slot. */
    EXCLUDED_NO_SLOT,
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
        return switch (this) {
            case ROUTABLE, RAMPING, SOFT, QUARANTINED, HARD -> true;
            case NO_SLOT, EXCLUDED_NO_SLOT, TRIED, NOT_CANDIDATE -> false;
        };
    }

    /** True when only a slot is missing. */
    public boolean lacksSlot() {
        return this == NO_SLOT || this == EXCLUDED_NO_SLOT;
    }

    /** True when nothing is wrong with it. */
    public boolean sound() {
        return this == ROUTABLE || this == RAMPING;
    }
}
