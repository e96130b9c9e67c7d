package dev.penstock.model;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How a replica is picked, by the names that operators know: one strategy, or several with weights, as in
 * {@code least-request:2,random:1}.
 *
 * @param k how many of the least loaded are looked at; null = chosen by density
 * @param epsilon how many requests above the least loaded still counts as a tie, in thousandths at the finest; null = chosen
 *     by density
 */
public record RoutingStrategy(
        List<Term> terms, @Nullable Integer k, @Nullable Double epsilon) {
    public static final int MOST_TERMS = 4;
    public static final int MOST_WEIGHT = 1_000_000;
    public static final int MOST_K = 8;
    public static final double MOST_EPSILON = 1_000_000;
    public static final RoutingStrategy DEFAULT = new RoutingStrategy(Kind.LOAD_BALANCE);

    /** AIBrix has them, and they will come. */
    private static final Set<String> NOT_YET = Set.of(
            "prefix-cache-preble",
            "least-kv-cache",
            "least-gpu-cache",
            "least-busy-time",
            "least-latency",
            "least-utilization",
            "throughput",
            "vtc-basic",
            "slo",
            "slo-pack-load",
            "slo-least-load",
            "slo-least-load-pulling",
            "pd");

    /** What a replica is preferred by. */
    public enum Kind {
        RANDOM("random"),
        LEAST_REQUEST("least-request"),
        LEAST_REQUEST_TOP_K("least-request-top-k"),
        POWER_OF_TWO("power-of-two"),
        LOAD_BALANCE("load-balance"),
        PREFIX_CACHE("prefix-cache"),
        SESSION_AFFINITY("session-affinity");

        private static final String KEYS =
                EnumSet.allOf(Kind.class).stream().map(Kind::key).collect(Collectors.joining(", "));

        private final String key;

        Kind(String key) {
            this.key = key;
        }

        public String key() {
            return key;
        }

        private static @Nullable Kind of(String key) {
            for (Kind each : values()) {
                if (each.key.equals(key)) return each;
            }
            return null;
        }
    }

    /** One strategy and its part of the score. */
    public record Term(Kind kind, int weight) {}

    /** No strategy: what it says, and what would have been one. */
    public static final class InvalidException extends IllegalArgumentException {
        private final String expected;

        private InvalidException(String given, String expected) {
            super("strategy " + given + ", expected " + expected);
            this.expected = expected;
        }

        public String expected() {
            return expected;
        }
    }

    public RoutingStrategy {
        // the only one has the whole score, whatever its weight
        if (terms.size() == 1 && terms.getFirst().weight() > 0) {
            terms = List.of(new Term(terms.getFirst().kind(), 1));
        }
        terms = List.copyOf(terms);
        String wrong = wrong(terms);
        if (wrong != null) throw new InvalidException(text(terms), wrong);
        if (k != null && (k < 1 || k > MOST_K)) {
            throw new InvalidException(text(terms) + " with k " + k, "k from 1 to " + MOST_K);
        }
        if (epsilon != null) {
            if (!(epsilon >= 0 && epsilon <= MOST_EPSILON)) {
                throw new InvalidException(
                        text(terms) + " with epsilon " + epsilon, "epsilon from 0 to " + (long) MOST_EPSILON);
            }
            epsilon = Math.round(epsilon * 1_000) / 1e3;
        }
    }

    public RoutingStrategy(Kind kind) {
        this(List.of(new Term(kind, 1)), null, null);
    }

    /** Reads {@code a} or {@code a:2,b:1}; a weight that is not written is 1. */
    public static RoutingStrategy parse(String text) {
        List<Term> terms = new ArrayList<>();
        for (String part : text.split(",", -1)) terms.add(term(text, part.strip()));
        String wrong = wrong(terms);
        if (wrong != null) throw new InvalidException(text, wrong);
        return new RoutingStrategy(terms, null, null);
    }

    private static Term term(String text, String part) {
        int colon = part.indexOf(':');
        String key = colon < 0 ? part : part.substring(0, colon).strip();
        Kind kind = Kind.of(key);
        if (kind == null) throw new InvalidException(text, known(key));
        return new Term(kind, colon < 0 ? 1 : weight(text, key, part.substring(colon + 1)));
    }

    private static String known(String key) {
        if (NOT_YET.contains(key)) return "one of " + Kind.KEYS + ": Penstock does not have " + key + " yet";
        return "one of " + Kind.KEYS + ", or several with weights like least-request:2,random:1"
                + (key.isEmpty() ? "" : ": there is no " + key);
    }

    private static int weight(String text, String key, String written) {
        String digits = written.strip();
        // seven digits hold the highest weight and fit an int
        boolean number =
                !digits.isEmpty() && digits.length() <= 7 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        int weight = number ? Integer.parseInt(digits) : -1;
        if (weight < 0 || weight > MOST_WEIGHT) throw new InvalidException(text, expectedWeight(key));
        return weight;
    }

    private static String expectedWeight(String key) {
        return "a whole number from 0 to " + MOST_WEIGHT + " as the weight of " + key;
    }

    /** What was expected, or null when the terms go together. */
    private static @Nullable String wrong(List<Term> terms) {
        if (terms.isEmpty() || terms.size() > MOST_TERMS) return "1 to " + MOST_TERMS + " strategies";
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        long sum = 0;
        for (Term term : terms) {
            String key = term.kind().key();
            if (!kinds.add(term.kind())) return "each strategy once: " + key + " is there twice";
            if (term.weight() < 0 || term.weight() > MOST_WEIGHT) return expectedWeight(key);
            sum += term.weight();
        }
        if (sum == 0) return "a weight above 0";
        if (terms.size() > 1 && kinds.contains(Kind.POWER_OF_TWO)) {
            return "power-of-two alone: it draws two candidates of its own";
        }
        return null;
    }

    /** The same terms with other parameters. */
    public RoutingStrategy with(@Nullable Integer nextK, @Nullable Double nextEpsilon) {
        return new RoutingStrategy(terms, nextK, nextEpsilon);
    }

    /** Without its parameters; {@link #parse} reads it again. */
    public String text() {
        return text(terms);
    }

    private static String text(List<Term> terms) {
        if (terms.size() == 1 && terms.getFirst().weight() == 1)
            return terms.getFirst().kind().key();
        return terms.stream()
                .map(each -> each.kind().key() + ":" + each.weight())
                .collect(Collectors.joining(","));
    }
}
