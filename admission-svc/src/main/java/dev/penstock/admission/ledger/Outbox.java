package dev.penstock.admission.ledger;

import dev.penstock.core.ledger.SlotCell;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Moves for one holder that go out together: recalls first, then grants. A recall of a replica that slots are on their way of would
 * overtake them, so what waits is sent before it. One thread.
 */
final class Outbox {
    private final HolderPort port;
    private final ReplicaIndexes indexes;
    private final Moves recalls = new Moves();
    private final Moves grants = new Moves();
    private final BitSet granted = new BitSet();

    private static final class Moves {
        int[] numbers = new int[16];
        int[] amounts = new int[16];
        int count;

        void add(int number, int amount) {
            if (count == numbers.length) {
                numbers = Arrays.copyOf(numbers, 2 * count);
                amounts = Arrays.copyOf(amounts, 2 * count);
            }
            numbers[count] = number;
            amounts[count++] = amount;
        }

        int[] takeNumbers() {
            return Arrays.copyOf(numbers, count);
        }

        int[] takeAmounts() {
            return Arrays.copyOf(amounts, count);
        }
    }

    Outbox(HolderPort port, ReplicaIndexes indexes) {
        this.port = port;
        this.indexes = indexes;
    }

    void grant(int index, int slots) {
        grants.add(indexes.number(index), slots);
        granted.set(index);
    }

    /** @param target {@link SlotCell#MOST} for all */
    void recall(int index, int target) {
        if (granted.get(index)) flush();
        recalls.add(indexes.number(index), target);
    }

    void flush() {
        if (recalls.count > 0) port.recalled(recalls.takeNumbers(), recalls.takeAmounts());
        if (grants.count > 0) port.granted(grants.takeNumbers(), grants.takeAmounts());
        recalls.count = 0;
        grants.count = 0;
        granted.clear();
    }
}
