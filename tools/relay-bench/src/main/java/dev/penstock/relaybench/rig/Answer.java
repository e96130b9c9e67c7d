package dev.penstock.relaybench.rig;

import java.util.Locale;

/** What the engines answer. */
public enum Answer {
    /** One JSON object. */
    JSON,
    /** A stream whose next chunk is written when the one before has reached the client: saturated, and never coalesced. */
    LOCKSTEP,
    /** A stream with a chunk each 20 ms. */
    PACED,
    /** JSON and lock-step streams in turn. */
    MIX;

    static Answer of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }

    boolean streams(int request) {
        return switch (this) {
            case JSON -> false;
            case LOCKSTEP, PACED -> true;
            case MIX -> (request & 1) == 0;
        };
    }
}
