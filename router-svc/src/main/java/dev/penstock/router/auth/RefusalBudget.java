package dev.penstock.router.auth;

/**
 * How many signatures may be checked in vain. One costs an event loop 30 us (RS256) to over a millisecond (EdDSA), which
 * anybody can ask for who knows the name of a key; with 50 a second that is below a tenth of the loop, and what is known
 * already goes on. One thread.
 */
final class RefusalBudget {
    private static final int MOST_PER_SECOND = 50;

    private long second = Long.MIN_VALUE;
    private int spent;

    boolean isSpent(long wallMillis) {
        return wallMillis / 1000 == second && spent >= MOST_PER_SECOND;
    }

    void note(Access access, long wallMillis) {
        if (!(access instanceof Access.Refused refused) || !hadASignatureChecked(refused.reason())) return;
        if (wallMillis / 1000 != second) {
            second = wallMillis / 1000;
            spent = 0;
        }
        spent++;
    }

    private static boolean hadASignatureChecked(Access.Reason reason) {
        return switch (reason) {
            case FORGED, UNFIT, EXPIRED, NOT_YET_VALID -> true;
            case MISSING, MALFORMED, UNKNOWN, UNTRUSTED, BUSY -> false;
        };
    }
}
