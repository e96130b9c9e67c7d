package dev.penstock.admission.ledger;

import dev.penstock.core.ledger.SlotCell;
import java.util.Arrays;

/** What amounts of slots a message may carry. */
final class Numbers {
    private Numbers() {}

    /** One amount for each replica, from 0 to the most that there can be; none is named twice. */
    static boolean areSlots(int[] numbers, int[] amounts) {
        if (numbers.length != amounts.length) return false;
        for (int amount : amounts) if (amount < 0 || amount > SlotCell.MOST) return false;
        return areDistinct(numbers);
    }

    private static boolean areDistinct(int[] numbers) {
        int[] sorted = numbers.clone();
        Arrays.sort(sorted);
        if (sorted.length > 0 && sorted[0] < 0) return false;
        for (int i = 1; i < sorted.length; i++) if (sorted[i] == sorted[i - 1]) return false;
        return true;
    }
}
