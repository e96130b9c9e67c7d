package dev.penstock.admission.ledger;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** What an owner tells about its pools; of a pool it does not own it tells nothing. Written on one context, read by any thread. */
public final class LedgerMetrics {
    /** Slots of all replicas. Labels: pool; state (home, out, frozen, presumed). */
    public static final String SLOTS = "penstock_admission_slots";

    /** Holders with a stream to the owner. Label: pool. */
    public static final String HOLDERS = "penstock_admission_holders";

    /** Holders that may hold slots, have been silent for 10 s and are not known to have died. Label: pool. */
    public static final String UNPROVEN_DEAD = "penstock_admission_unproven_dead";

    /** Slots granted. Label: pool. */
    public static final String MOVES = "penstock_admission_slot_moves_total";

    private static final String POOL = "pool";
    private static final String STATE = "state";
    private static final Map<String, ToLongFunction<PoolSums>> STATES = new TreeMap<>(Map.of(
            "home", PoolSums::home,
            "out", PoolSums::out,
            "frozen", PoolSums::frozen,
            "presumed", PoolSums::presumed));

    private final MeterRegistry meters;
    private final MultiGauge slots;
    private final MultiGauge holders;
    private final MultiGauge unprovenDead;
    private volatile Map<String, PoolSums> sums = Map.of();

    public LedgerMetrics(MeterRegistry meters) {
        this.meters = meters;
        slots = MultiGauge.builder(SLOTS).register(meters);
        holders = MultiGauge.builder(HOLDERS).register(meters);
        unprovenDead = MultiGauge.builder(UNPROVEN_DEAD).register(meters);
    }

    void granted(String pool, long count) {
        meters.counter(MOVES, POOL, pool).increment(count);
    }

    /** Takes the numbers of the pools that are owned anew. */
    void pools(Map<String, PoolSums> now) {
        boolean others = !now.keySet().equals(sums.keySet());
        sums = Map.copyOf(now);
        if (!others) return;
        Set<String> pools = new TreeSet<>(now.keySet());
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        for (String pool : pools) STATES.forEach((state, value) -> rows.add(row(pool, value, STATE, state)));
        slots.register(rows, true);
        holders.register(rows(pools, PoolSums::holders), true);
        unprovenDead.register(rows(pools, PoolSums::unprovenDead), true);
    }

    private List<MultiGauge.Row<?>> rows(Set<String> pools, ToLongFunction<PoolSums> value) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        for (String pool : pools) rows.add(row(pool, value));
        return rows;
    }

    private MultiGauge.Row<?> row(String pool, ToLongFunction<PoolSums> value, String... labels) {
        Supplier<Number> current = () -> value.applyAsLong(sums.getOrDefault(pool, PoolSums.NONE));
        return MultiGauge.Row.of(Tags.of(POOL, pool).and(labels), current);
    }
}
