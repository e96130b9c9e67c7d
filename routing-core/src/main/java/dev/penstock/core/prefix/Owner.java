package dev.penstock.core.prefix;

/** One owner of one block in one number: who (high 32 bits) and when last, in ticks of the table (low). */
final class Owner {
    /** Numbers of replicas begin at 0 and come nowhere near. */
    static final int NOBODY = -1;

    /** More have it than there is room for. */
    static final int EVERYBODY = -2;

    static final long NONE = (long) NOBODY << 32;

    private Owner() {}

    static long of(int number, int tick) {
        return (long) number << 32 | tick & 0xFFFF_FFFFL;
    }

    static int number(long owner) {
        return (int) (owner >>> 32);
    }

    static int tick(long owner) {
        return (int) owner;
    }
}
