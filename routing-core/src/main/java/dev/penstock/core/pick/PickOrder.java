package dev.penstock.core.pick;

import dev.penstock.model.RoutingStrategy.Kind;

/**
 * How one of the candidates is picked, in one number, so that a record holds it and the pick can be made again: evenly among
 * the k first that are within epsilon of the least loaded; or by the least weighted score, each term scaled to 0..1,000 over
 * the candidates.
 *
 * <pre>
 *   bits 0-9     weight of a random number            (weights are all 0 = evenly among near-ties)
 *        10-19   weight of the load
 *        20-29   weight of the load less a random part of epsilon
 *        30-53   epsilon, thousandths of a request
 *        54-57   k
 *        58-62   strategy, its place in {@link Kind}
 * </pre>
 *
 * Candidates come sorted: by standing, load, {@link TieBreak}.
 */
public final class PickOrder {
    static final int TERMS = 3;
    static final int MOST_WEIGHT = (1 << 10) - 1;
    static final int MOST_EPSILON_MILLI = (1 << 24) - 1;
    static final int[] UNWEIGHTED = new int[TERMS];

    private static final int RANDOM = 0;
    private static final int LOAD = 1;
    private static final int SPREAD = 2;
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
            case POWER_OF_TWO -> throw new IllegalArgumentException("power-of-two draws its own candidates");
        };
    }

    static long of(Kind kind, int k, int epsilonMilli, int[] weights) {
        return (long) kind.ordinal() << 58
                | (long) k << 54
                | (long) epsilonMilli << 30
                | (long) weights[SPREAD] << 20
                | (long) weights[LOAD] << 10
                | weights[RANDOM];
    }

    public static Kind kind(long order) {
        return KINDS[(int) (order >>> 58)];
    }

    public static int k(long order) {
        return (int) (order >>> 54) & 0xF;
    }

    public static int epsilonMilli(long order) {
        return (int) (order >>> 30) & MOST_EPSILON_MILLI;
    }

    /** True when a weighted score decides. */
    public static boolean weighted(long order) {
        return (order & (1L << 30) - 1) != 0;
    }

    private static int weight(long order, int term) {
        return (int) (order >>> 10 * term) & MOST_WEIGHT;
    }

    /**
     * The candidate picked.
     *
     * @param like how many candidates, from the first on, stand as the first does; 1 at least
     */
    public static int pick(long order, long draw, int like, long[] loadMilli, int[] number) {
        return weighted(order)
                ? leastScore(order, draw, like, loadMilli, number)
                : nearTie(order, draw, like, loadMilli, number);
    }

    private static int nearTie(long order, long draw, int like, long[] loadMilli, int[] number) {
        long most = loadMilli[0] + epsilonMilli(order);
        int first = Math.min(k(order), like);
        int best = 0;
        long bestKey = TieBreak.key(draw ^ PICK, number[0]);
        for (int i = 1; i < first && loadMilli[i] <= most; i++) {
            long key = TieBreak.key(draw ^ PICK, number[i]);
            if (key >= bestKey) continue;
            best = i;
            bestKey = key;
        }
        return best;
    }

    private static int leastScore(long order, long draw, int like, long[] loadMilli, int[] number) {
        long leastLoad = loadMilli[0];
        long mostLoad = loadMilli[like - 1];
        long leastSpread = Long.MAX_VALUE;
        long mostSpread = Long.MIN_VALUE;
        for (int i = 0; i < like; i++) {
            long spread = spread(order, draw, loadMilli[i], number[i]);
            leastSpread = Math.min(leastSpread, spread);
            mostSpread = Math.max(mostSpread, spread);
        }
        int best = 0;
        long bestScore = Long.MAX_VALUE;
        for (int i = 0; i < like; i++) {
            long score = weight(order, RANDOM) * chance(draw, number[i], SCALE)
                    + weight(order, LOAD) * scaled(loadMilli[i], leastLoad, mostLoad)
                    + weight(order, SPREAD)
                            * scaled(spread(order, draw, loadMilli[i], number[i]), leastSpread, mostSpread);
            if (score >= bestScore) continue;
            best = i;
            bestScore = score;
        }
        return best;
    }

    /** The part that a strategy's term has in the score, 0 to 1; two strategies that are one term have it together. */
    public static double share(long order, Kind kind) {
        int all = weight(order, RANDOM) + weight(order, LOAD) + weight(order, SPREAD);
        return all == 0 ? 0 : (double) weight(order, termOf(kind)) / all;
    }

    /**
     * What a strategy's term adds to the weighted score of the candidate at that place, as a part of the worst score there can
     * be. For those who explain a pick; arguments as for {@link #pick}.
     */
    public static double part(long order, Kind kind, long draw, int like, long[] loadMilli, int[] number, int at) {
        int term = termOf(kind);
        long points =
                switch (term) {
                    case RANDOM -> chance(draw, number[at], SCALE);
                    case LOAD -> scaled(loadMilli[at], loadMilli[0], loadMilli[like - 1]);
                    default -> scaledSpread(order, draw, like, loadMilli, number, at);
                };
        return share(order, kind) * points / SCALE;
    }

    private static long scaledSpread(long order, long draw, int like, long[] loadMilli, int[] number, int at) {
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        for (int i = 0; i < like; i++) {
            long spread = spread(order, draw, loadMilli[i], number[i]);
            least = Math.min(least, spread);
            most = Math.max(most, spread);
        }
        return scaled(spread(order, draw, loadMilli[at], number[at]), least, most);
    }

    private static long spread(long order, long draw, long loadMilli, int number) {
        return loadMilli - chance(draw, ~number, epsilonMilli(order));
    }

    private static long scaled(long value, long least, long most) {
        return most == least ? 0 : (value - least) * SCALE / (most - least);
    }

    /** A number below {@code bound} that belongs to this draw and replica. */
    private static long chance(long draw, int number, int bound) {
        return (TieBreak.key(draw ^ CHANCE, number) >>> 32) * bound >>> 32;
    }
}
