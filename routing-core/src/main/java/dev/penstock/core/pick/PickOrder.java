package dev.penstock.core.pick;

import dev.penstock.model.RoutingStrategy.Kind;

/**
 * How one of the candidates is picked, in one number, so that a record holds it and the pick can be made again: the first if
 * it has a credit ({@link Credit}) or else evenly among the k first that are within epsilon of the first's score; or by the
 * least weighted sum, each term scaled to 0..1,000 over the candidates.
 *
 * <pre>
 *   bits 0-6     weight of a random number            (weights are all 0 = evenly among near-ties)
 *        7-13    weight of the score
 *        14-20   weight of the score less a random part of epsilon
 *        21-27   weight of the part of the prompt that is not there
 *        28-34   weight of the session's not being there
 *        35-54   epsilon, thousandths of a request
 *        55-58   k
 *        59-62   strategy, its place in {@link Kind}
 * </pre>
 *
 * Candidates come sorted: by standing, score less credit, {@link TieBreak}.
 */
public final class PickOrder {
    static final int TERMS = 5;
    static final int MOST_WEIGHT = (1 << 7) - 1;
    static final int MOST_EPSILON_MILLI = (1 << 20) - 1;
    static final int[] UNWEIGHTED = new int[TERMS];

    private static final int RANDOM = 0;
    private static final int LOAD = 1;
    private static final int SPREAD = 2;
    private static final int PREFIX = 3;
    private static final int SESSION = 4;
    private static final int WEIGHT_BITS = 7;
    private static final int EPSILON_SHIFT = TERMS * WEIGHT_BITS;
    private static final int K_SHIFT = 55;
    private static final int KIND_SHIFT = 59;
    private static final int SCALE = 1_000;
    private static final Kind[] KINDS = Kind.values();

    /** Picks and random terms must not follow the order that ties were broken in. */
    private static final long PICK = 0x9FB21C651E98DF25L;

    private static final long CHANCE = 0xD6E8FEB86659FD93L;

    private PickOrder() {}

    static int termOf(Kind kind) {
        return switch (kind) {
            case RANDOM -> RANDOM;
            case LEAST_REQUEST, LOAD_BALANCE -> LOAD;
            case LEAST_REQUEST_TOP_K -> SPREAD;
            case PREFIX_CACHE -> PREFIX;
            case SESSION_AFFINITY -> SESSION;
            case POWER_OF_TWO -> throw new IllegalArgumentException("power-of-two draws its own candidates");
        };
    }

    static long of(Kind kind, int k, int epsilonMilli, int[] weights) {
        long order = (long) kind.ordinal() << KIND_SHIFT | (long) k << K_SHIFT | (long) epsilonMilli << EPSILON_SHIFT;
        for (int term = 0; term < TERMS; term++) order |= (long) weights[term] << WEIGHT_BITS * term;
        return order;
    }

    public static Kind kind(long order) {
        return KINDS[(int) (order >>> KIND_SHIFT)];
    }

    public static int k(long order) {
        return (int) (order >>> K_SHIFT) & 0xF;
    }

    public static int epsilonMilli(long order) {
        return (int) (order >>> EPSILON_SHIFT) & MOST_EPSILON_MILLI;
    }

    /** True when a weighted sum decides. */
    public static boolean weighted(long order) {
        return (order & (1L << EPSILON_SHIFT) - 1) != 0;
    }

    /** True when a weighted sum decides in which that warmth counts. */
    static boolean weighs(long order, int warmth) {
        return weight(order, PREFIX) > 0 && Warmth.hitMilli(warmth) > 0
                || weight(order, SESSION) > 0 && Warmth.sessionMilli(warmth) > 0;
    }

    private static int weight(long order, int term) {
        return (int) (order >>> WEIGHT_BITS * term) & MOST_WEIGHT;
    }

    /**
     * What is known of the candidates, by place.
     *
     * @param scoreMilli less the credit
     * @param warmth see {@link Warmth}
     */
    public record Field(long[] scoreMilli, int[] warmth, int[] number) {
        public Field(int size) {
            this(new long[size], new int[size], new int[size]);
        }
    }

    /**
     * The candidate picked.
     *
     * @param like how many candidates, from the first on, stand as the first does; 1 at least
     */
    public static int pick(long order, long draw, int like, Field field) {
        return weighted(order) ? leastSum(order, draw, like, field) : nearTie(order, draw, like, field);
    }

    private static int nearTie(long order, long draw, int like, Field field) {
        long[] scoreMilli = field.scoreMilli;
        int[] number = field.number;
        int first = Math.min(k(order), like);
        if (first == 1 || Warmth.creditMilli(field.warmth[0]) > 0) return 0;
        long most = scoreMilli[0] + epsilonMilli(order);
        int best = 0;
        long bestKey = TieBreak.key(draw ^ PICK, number[0]);
        for (int i = 1; i < first && scoreMilli[i] <= most; i++) {
            long key = TieBreak.key(draw ^ PICK, number[i]);
            if (key >= bestKey) continue;
            best = i;
            bestKey = key;
        }
        return best;
    }

    private static int leastSum(long order, long draw, int like, Field field) {
        int best = 0;
        long bestSum = Long.MAX_VALUE;
        long leastSpread = leastSpread(order, draw, like, field);
        long mostSpread = mostSpread(order, draw, like, field);
        for (int i = 0; i < like; i++) {
            long sum = 0;
            for (int term = 0; term < TERMS; term++) {
                int weight = weight(order, term);
                if (weight > 0) sum += weight * points(order, term, draw, like, field, leastSpread, mostSpread, i);
            }
            if (sum >= bestSum) continue;
            best = i;
            bestSum = sum;
        }
        return best;
    }

    private static long points(
            long order, int term, long draw, int like, Field field, long leastSpread, long mostSpread, int at) {
        int number = field.number[at];
        return switch (term) {
            case RANDOM -> chance(draw, number, SCALE);
            case LOAD -> scaled(field.scoreMilli[at], field.scoreMilli[0], field.scoreMilli[like - 1]);
            case SPREAD -> scaled(spread(order, draw, field.scoreMilli[at], number), leastSpread, mostSpread);
            case PREFIX -> SCALE - Warmth.hitMilli(field.warmth[at]);
            default -> SCALE - Warmth.sessionMilli(field.warmth[at]);
        };
    }

    /** The part that a strategy's term has in the sum, 0 to 1; two strategies that are one term have it together. */
    public static double share(long order, Kind kind) {
        int all = 0;
        for (int term = 0; term < TERMS; term++) all += weight(order, term);
        return all == 0 ? 0 : (double) weight(order, termOf(kind)) / all;
    }

    /**
     * What a strategy's term adds to the weighted sum of the candidate at that place, as a part of the worst sum there can be.
     * For those who explain a pick; arguments as for {@link #pick}.
     */
    public static double part(long order, Kind kind, long draw, int like, Field field, int at) {
        long least = leastSpread(order, draw, like, field);
        long most = mostSpread(order, draw, like, field);
        return share(order, kind) * points(order, termOf(kind), draw, like, field, least, most, at) / SCALE;
    }

    private static long leastSpread(long order, long draw, int like, Field field) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < like; i++)
            least = Math.min(least, spread(order, draw, field.scoreMilli[i], field.number[i]));
        return least;
    }

    private static long mostSpread(long order, long draw, int like, Field field) {
        long most = Long.MIN_VALUE;
        for (int i = 0; i < like; i++) most = Math.max(most, spread(order, draw, field.scoreMilli[i], field.number[i]));
        return most;
    }

    private static long spread(long order, long draw, long scoreMilli, int number) {
        return scoreMilli - chance(draw, ~number, epsilonMilli(order));
    }

    private static long scaled(long value, long least, long most) {
        return most == least ? 0 : (value - least) * SCALE / (most - least);
    }

    /** A number below {@code bound} that belongs to this draw and replica. */
    private static long chance(long draw, int number, int bound) {
        return (TieBreak.key(draw ^ CHANCE, number) >>> 32) * bound >>> 32;
    }
}
