package dev.penstock.ledgermodel;

import dev.penstock.ledgermodel.slots.FairnessScenario;
import dev.penstock.ledgermodel.slots.SlotsScenario;
import dev.penstock.report.Report;
import java.util.List;

/** The way in: the simulations of the ledger by name. */
public final class LedgerSims {
    private static final List<LedgerSim> ALL =
            List.of(new LedgerScenario(), new SlotsScenario(), new FairnessScenario(), new RatesScenario());

    private LedgerSims() {}

    public static List<String> names() {
        return ALL.stream().map(LedgerSim::name).toList();
    }

    /**
     * @param full for figures to quote; else what the build has time for
     * @param progress told before each run
     */
    public static Report run(String name, int seeds, boolean full, Progress progress) {
        for (LedgerSim each : ALL) if (each.name().equals(name)) return each.run(seeds, full, progress);
        throw new IllegalArgumentException(
                "unknown simulation '" + name + "'; known are " + String.join(", ", names()));
    }

    /** Told before each run. */
    public interface Progress {
        void running(String policy, int seed, int seeds);
    }
}
