package dev.penstock.fleetsim;

import java.util.Arrays;

/** Blocks and who has them, as one router publishes them each 100 ms. */
final class PrefixNews {
    private long[] hashes = new long[64];
    private int[] numbers = new int[64];
    private int size;

    void add(long hash, int number) {
        if (size == hashes.length) {
            hashes = Arrays.copyOf(hashes, 2 * size);
            numbers = Arrays.copyOf(numbers, 2 * size);
        }
        hashes[size] = hash;
        numbers[size++] = number;
    }

    int size() {
        return size;
    }

    long hash(int i) {
        return hashes[i];
    }

    int number(int i) {
        return numbers[i];
    }
}
