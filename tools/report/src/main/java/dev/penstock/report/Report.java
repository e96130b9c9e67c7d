package dev.penstock.report;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a scenario or a benchmark came to.
 *
 * @param ok every bar holds and every named baseline misses it
 * @param figures of the production policy, by name, in the order asked for
 * @param baselines the same of each other policy, by its key
 * @param command gives these figures again
 */
public record Report(
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
     * @param value NaN where it was not measured
     * @param ok the production policy is within the limit, or was not measured
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
        /** @param op one of {@code <=}, {@code >=}, {@code ==} and {@code >} */
        public static Bar of(String figure, String op, double limit, double value) {
            return new Bar(figure, op, limit, value, meets(value, op, limit), null, null, null);
        }

        /** A limit that could not be judged here: it neither holds nor is missed, and fails nothing. */
        public static Bar unmeasured(String figure, String op, double limit) {
            return new Bar(figure, op, limit, Double.NaN, true, null, null, null);
        }

        public boolean measured() {
            return !Double.isNaN(value);
        }

        /** The same, with a baseline that must miss it, and does or not. */
        public Bar beside(String policy, double policyValue, boolean misses) {
            return new Bar(figure, op, limit, value, ok, policy, policyValue, misses);
        }

        private static boolean meets(double value, String op, double limit) {
            return switch (op) {
                case "<=" -> value <= limit;
                case ">=" -> value >= limit;
                case "==" -> value == limit;
                case ">" -> value > limit;
                default -> throw new IllegalArgumentException("unknown op '" + op + "'; expected <=, >=, == or >");
            };
        }

        /** The bar holds, and proves something. */
        public boolean holds() {
            return ok && !Boolean.FALSE.equals(baselineMisses);
        }
    }
}
