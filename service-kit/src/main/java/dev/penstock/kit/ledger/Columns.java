package dev.penstock.kit.ledger;

/** Columns of one message. */
final class Columns {
    private Columns() {}

    static void sameLength(int[] numbers, int[] column) {
        if (numbers.length != column.length) {
            throw new IllegalArgumentException(
                    "ledger message: " + numbers.length + " numbers beside " + column.length + " values");
        }
    }
}
