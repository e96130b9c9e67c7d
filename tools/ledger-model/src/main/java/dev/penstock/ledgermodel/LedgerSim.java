package dev.penstock.ledgermodel;

import dev.penstock.report.Report;

/** A question about the ledger, with bars and baselines that miss them. */
public interface LedgerSim {
    String name();

    Report run(int seeds, boolean full, LedgerSims.Progress progress);

    default String command(int seeds, boolean full) {
        return "./penstock sim " + name() + " --seeds " + seeds + (full ? " --full" : "");
    }
}
