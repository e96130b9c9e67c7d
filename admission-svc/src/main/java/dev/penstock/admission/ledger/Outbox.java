package dev.penstock.admission.ledger;

import dev.penstock.core.ledger.SlotCell;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Moves for one holder that go out together: recalls first, then grants. A recall of a replica that slots are on their way of would
 * overtake them, so it begins another batch. Nothing is sent before the flush: a stream that breaks as it is written to would
 * change who there is while the distribution goes through them. One thread.
 */
final class Outbox {
    private final HolderPort port;
    private final ReplicaIndexes indexes;
    private List<Batch> batches = new ArrayList<>();
    private Batch last = new Batch();

    private static final class Batch {
        final Moves recalls = new Moves();
        final Moves grants = new Moves();
        final BitSet granted = new BitSet();

        boolean isEmpty() {
            return recalls.count == 0 && grants.count == 0;
        }

        void send(HolderPort port) {
            if (recalls.count > 0) port.recalled(recalls.takeNumbers(), recalls.takeAmounts());
            if (grants.count > 0) port.granted(grants.takeNumbers(), grants.takeAmounts());
        }

        void clear() {
            recalls.count = 0;
            grants.count = 0;
            granted.clear();
        }
    }

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
        last.grants.add(indexes.number(index), slots);
        last.granted.set(index);
    }

    /** @param target {@link SlotCell#MOST} for all */
    void recall(int index, int target) {
        if (last.granted.get(index)) {
            batches.add(last);
            last = new Batch();
        }
        last.recalls.add(indexes.number(index), target);
    }

    void flush() {
        if (!batches.isEmpty()) {
            List<Batch> before = batches;
            batches = new ArrayList<>();
            before.forEach(each -> each.send(port));
        }
        if (last.isEmpty()) return;
        last.send(port);
        last.clear();
    }
}
