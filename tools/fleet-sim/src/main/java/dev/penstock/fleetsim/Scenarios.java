package dev.penstock.fleetsim;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that can be asked for. */
final class Scenarios {
    static final List<Scenario> ALL = List.of(
            BalanceScenarios.balance(),
            BalanceScenarios.sparse(),
            BalanceScenarios.embeddings(),
            RoutersScenario.scenario(),
            StampedeScenario.scenario(),
            StaleScenario.scenario(),
            SessionScenario.scenario(),
            HeteroScenario.scenario(),
            TraceScenario.generated(),
            PrefixScenario.generated());

    private Scenarios() {}

    static @Nullable Scenario named(String name) {
        for (Scenario each : ALL) if (each.name().equals(name)) return each;
        return null;
    }
}
