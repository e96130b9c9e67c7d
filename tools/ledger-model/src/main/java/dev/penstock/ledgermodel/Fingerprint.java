package dev.penstock.ledgermodel;

import java.util.function.IntConsumer;

/** 128 bits of a state: two of a billion states share one with a chance of 10^-21. */
final class Fingerprint implements IntConsumer {
    private long high = 0x9e3779b97f4a7c15L;
    private long low = 0xc2b2ae3d27d4eb4fL;

    static Fingerprint of(World world) {
        Fingerprint print = new Fingerprint();
        world.print(print);
        return print;
    }

    @Override
    public void accept(int value) {
        add(value);
    }

    void add(long value) {
        high = mixed(high ^ value) + low;
        low = Long.rotateLeft(low, 23) * 0x165667b19e3779f9L ^ high;
    }

    /** Stafford's variant 13 of the finaliser of MurmurHash3. */
    private static long mixed(long z) {
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    long high() {
        return high;
    }

    long low() {
        return mixed(low);
    }
}
