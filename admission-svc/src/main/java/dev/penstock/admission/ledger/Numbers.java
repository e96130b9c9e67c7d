package dev.penstock.admission.ledger;

import dev.penstock.core.ledger.SlotCell;

/** What amounts of slots a message may carry. */
final class Numbers {
    private Numbers() {}

    /** One amount for each replica, from 0 to the most that there can be. */
    static boolean areSlots(int[] numbers, int[] amounts) {
        if (numbers.length != amounts.length) return false;
        for (int amount : amounts) if (amount < 0 || amount > SlotCell.MOST) return false;
        return true;
    }
}
