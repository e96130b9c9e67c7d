package dev.penstock.admission.ledger;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Roster numbers, by which messages name replicas, and the dense indexes by which the books count them. One thread. */
final class ReplicaIndexes {
    static final int UNKNOWN = -1;

    private final Map<Integer, Integer> numberToIndex = new HashMap<>();
    private int[] numbers = {};
    private int count;

    /** From now on it has one. */
    int give(int number) {
        Integer known = numberToIndex.get(number);
        if (known != null) return known;
        if (count == numbers.length) numbers = Arrays.copyOf(numbers, Math.max(16, 2 * count));
        numbers[count] = number;
        numberToIndex.put(number, count);
        return count++;
    }

    int of(int number) {
        return numberToIndex.getOrDefault(number, UNKNOWN);
    }

    int number(int index) {
        return numbers[index];
    }

    int count() {
        return count;
    }
}
