package dev.penstock.fleetsim;

/** What became of sessions while measuring. */
final class SessionTally {
    /** Turns after a session's first. */
    long turns;
    /** Turns at another replica than the one before, by why. */
    long lostOwner;

    long overloadedOwner;
    long needless;
    /** Most moves that one session made for one loss of its owner. */
    int mostMovesPerLoss;

    double needlessPct() {
        return turns == 0 ? Double.NaN : 100.0 * needless / turns;
    }

    double forLoadPct() {
        return turns == 0 ? Double.NaN : 100.0 * overloadedOwner / turns;
    }

    double mostMovesPerLoss() {
        return turns == 0 ? Double.NaN : mostMovesPerLoss;
    }
}
