package dev.penstock.benchmarks;

import dev.penstock.core.ledger.HolderBook;
import dev.penstock.core.ledger.HolderId;
import dev.penstock.core.ledger.Rules;
import dev.penstock.core.ledger.SlotCell;

/** Takes a slot of one replica after another and gives it back; every fourth replica has none. */
final class AdmitLoop implements Loop {
    static final int REPLICAS = 2_000;

    private static final int SLOTS = 24;
    private static final int EMPTY_ONE_OF = 4;
    /** Steps through all replicas, far apart. */
    private static final int STRIDE = 997;

    private final SlotCell[] cells = new SlotCell[REPLICAS];
    private int at;
    private long admitted;

    AdmitLoop() {
        HolderBook book = new HolderBook(new HolderId("bench", 1), 0, Rules.ALL);
        book.open(0);
        for (int i = 0; i < REPLICAS; i++) {
            cells[i] = book.cell(i);
            if (i % EMPTY_ONE_OF > 0) book.granted(0, book.session(), i, SLOTS);
        }
    }

    @Override
    public void run(int operations) {
        for (int i = 0; i < operations; i++) {
            at = (at + STRIDE) % REPLICAS;
            SlotCell cell = cells[at];
            if (!cell.admit()) continue;
            admitted++;
            cell.release();
        }
    }

    long admitted() {
        return admitted;
    }
}
