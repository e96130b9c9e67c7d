package dev.penstock.core.view;

import dev.penstock.core.quarantine.FailureOdds;
import dev.penstock.model.PoolId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The base failure rate of each pool at this router: the median over its replicas. The view's writer folds once a second. */
final class BaseRates {
    private BaseRates() {}

    static void fold(RosterImage image) {
        Map<PoolId, List<Double>> poolToRates = new HashMap<>();
        for (ReplicaEntry entry : image.entries()) {
            FailureRate rate = entry.cell().failureRate();
            rate.fold();
            if (rate.known())
                poolToRates
                        .computeIfAbsent(entry.replica().pool(), pool -> new ArrayList<>())
                        .add(rate.rate());
        }
        Map<PoolId, FailureOdds> poolToOdds = new HashMap<>();
        poolToRates.forEach((pool, rates) -> poolToOdds.put(pool, FailureOdds.ofMedian(lowerMedian(rates))));
        for (ReplicaEntry entry : image.entries()) {
            entry.cell().odds(poolToOdds.getOrDefault(entry.replica().pool(), FailureOdds.QUIET));
        }
    }

    /** Of two middle values the lower one: one sick replica of two must not set the base. */
    private static double lowerMedian(List<Double> rates) {
        Collections.sort(rates);
        return rates.get((rates.size() - 1) / 2);
    }
}
