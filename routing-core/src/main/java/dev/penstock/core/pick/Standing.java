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

    static Standing of(ReplicaCell.Exclusion exclusion) {
        return switch (exclusion) {
            case NONE -> ROUTABLE;
            case RAMP -> RAMPING;
            case SOFT -> SOFT;
            case QUARANTINED -> QUARANTINED;
            case HARD -> HARD;
        };
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
