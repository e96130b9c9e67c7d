package dev.penstock.core.pick;

/**
 * Why a candidate is worth more to a request than its load says, in one number.
 *
 * <pre>
 *   bits 0-9     share of the prompt that it has computed, thousandths
 *        10-11   what it is to the session: nothing, its second place, its first, where it is pinned
 *        12-31   credit, thousandths of a request
 * </pre>
 */
public final class Warmth {
    public static final int NONE = 0;

    private static final int HIT_BITS = 10;
    private static final int CREDIT_SHIFT = 12;
    private static final int MOST_CREDIT_MILLI = (1 << 20) - 1;
    private static final Tie[] TIES = Tie.values();

    /** What a replica is to a session. */
    public enum Tie {
        NONE(0),
        /** Nobody has pinned it, and it would be the next choice. */
        SECOND(500),
        /** Nobody has pinned it, and it belongs here. */
        FIRST(1_000),
        PINNED(1_000);

        private final int milli;

        Tie(int milli) {
            this.milli = milli;
        }

        /** Of the credit that a session has, in thousandths. */
        int milli() {
            return milli;
        }
    }

    private Warmth() {}

    static int of(int hitMilli, Tie tie, long creditMilli) {
        int hit = Math.min(hitMilli, (1 << HIT_BITS) - 1);
        int credit = (int) Math.clamp(creditMilli, 0L, MOST_CREDIT_MILLI);
        return credit << CREDIT_SHIFT | tie.ordinal() << HIT_BITS | hit;
    }

    public static int hitMilli(int warmth) {
        return warmth & (1 << HIT_BITS) - 1;
    }

    public static Tie tie(int warmth) {
        return TIES[warmth >>> HIT_BITS & 3];
    }

    static int sessionMilli(int warmth) {
        return tie(warmth).milli();
    }

    /** What its score was lowered by. */
    public static int creditMilli(int warmth) {
        return warmth >>> CREDIT_SHIFT;
    }
}
