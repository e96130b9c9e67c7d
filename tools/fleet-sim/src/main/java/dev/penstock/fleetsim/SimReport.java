package dev.penstock.fleetsim;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a scenario came to.
 *
 * @param ok every bar holds and every named baseline misses it
 * @param figures of the production policy, by name, in the scenario's order
 * @param baselines the same of each other policy, by its key
 * @param command gives these figures again
 */
public record SimReport(
        String name,
        String about,
        int seeds,
        boolean ok,
        Map<String, Estimate> figures,
        Map<String, Map<String, Estimate>> baselines,
        List<Bar> bars,
        String command) {

    /**
     * One limit, and one baseline that must miss it, if any.
     *
     * @param ok the production policy is within the limit
     */
    public record Bar(
            String figure,
            String op,
            double limit,
            double value,
            boolean ok,
            @Nullable String baseline,
            @Nullable Double baselineValue,
            @Nullable Boolean baselineMisses) {
        /** The bar holds, and proves something. */
        public boolean holds() {
            return ok && !Boolean.FALSE.equals(baselineMisses);
        }
    }
}
