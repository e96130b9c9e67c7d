package dev.penstock.core.view;

import dev.penstock.model.InflightVector;
import dev.penstock.model.PoolId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How much arrives at each router, from the counts in their vectors, this router's own (which come back to it) among them.
 * Rates are smoothed over about 2 s.
 */
final class ArrivalShares {
    private static final double SMOOTH_NANOS = 2e9;
    private static final double LEAST_RATIO = 0.1;
    private static final double MOST_RATIO = 10;
    /** Below that much a second a rate says nothing: routers are taken to be alike. */
    private static final double LEAST_RATE = 1e-9;

    private final Map<String, Map<PoolId, Rate>> routerToRates = new HashMap<>();
    private String own = "";

    private static final class Rate {
        boolean counting;
        long arrived;
        long atNanos;
        double perNano = -1;
    }

    /** Which of the producers is this router. */
    void own(String producer) {
        own = producer;
    }

    void heard(InflightVector vector, long receiveNanos) {
        Map<PoolId, Rate> rates =
                routerToRates.computeIfAbsent(vector.header().producer(), producer -> new HashMap<>());
        for (InflightVector.PoolArrivals each : vector.arrivals()) {
            Rate rate = rates.computeIfAbsent(each.pool(), pool -> new Rate());
            if (rate.counting) learn(rate, each.arrived(), receiveNanos);
            rate.counting = true;
            rate.arrived = each.arrived();
            rate.atNanos = receiveNanos;
        }
    }

    /** Its next counts are another incarnation's: nothing is learned from that step. */
    void otherLife(String producer) {
        Map<PoolId, Rate> rates = routerToRates.get(producer);
        if (rates != null) rates.values().forEach(rate -> rate.counting = false);
    }

    /** A count that fell is another incarnation's: nothing is learned from that step. */
    private static void learn(Rate rate, long arrived, long nowNanos) {
        long nanos = nowNanos - rate.atNanos;
        if (nanos <= 0 || arrived < rate.arrived) return;
        double now = (double) (arrived - rate.arrived) / nanos;
        double weight = rate.perNano < 0 ? 1 : 1 - Math.exp(-nanos / SMOOTH_NANOS);
        rate.perNano = rate.perNano < 0 ? now : rate.perNano + (now - rate.perNano) * weight;
    }

    void forget(String producer) {
        routerToRates.remove(producer);
    }

    /** Arrivals at that router for each at this one; 1 until both are known. */
    double ratioToOwn(String producer, PoolId pool) {
        Rate theirs = rate(producer, pool);
        Rate ours = rate(own, pool);
        if (theirs == null || ours == null || theirs.perNano < LEAST_RATE || ours.perNano < LEAST_RATE) return 1;
        return Math.clamp(theirs.perNano / ours.perNano, LEAST_RATIO, MOST_RATIO);
    }

    private @Nullable Rate rate(String producer, PoolId pool) {
        Map<PoolId, Rate> rates = routerToRates.get(producer);
        return rates == null ? null : rates.get(pool);
    }
}
