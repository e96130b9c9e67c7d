package dev.penstock.core.pick;

import dev.penstock.core.view.Candidates;
import dev.penstock.core.view.PoolLoad;
import dev.penstock.model.RoutingStrategy;
import dev.penstock.model.RoutingStrategy.Kind;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A strategy made ready for decisions: where candidates come from, and how one of them is picked ({@link PickOrder}).
 * Immutable.
 *
 * <pre>
 *   strategy              candidates                  k                        epsilon
 *   random                one, drawn                  1                        -
 *   power-of-two          two, drawn                  1                        0
 *   least-request         the least loaded            1                        0
 *   least-request-top-k   the least loaded            5                        0.5
 *   load-balance          the least score             1, or 8 where sparse     0.5      credit for prefix and session
 *   prefix-cache          the least score             the same                          credit for the prefix
 *   session-affinity      the least score             the same                          credit for the session
 *   a:2,b:1               the least of these          weighted sum
 * </pre>
 *
 * Loads are requests, whatever the replica; scores are requests by what they weigh there (capacity, KV cache). A replica with
 * a credit ({@link Credit}) is picked although it is so much busier.
 *
 * Sparse: a router has less than 1.5 requests of its own in flight per replica, so that most loads are equal and all routers
 * see the same few as the least loaded.
 */
public final class PickRule {
    private static final int BY_DENSITY = 0;
    private static final int DENSE_MEAN_MILLI = 1_500;
    private static final int DENSE_K = 1;
    private static final int SPARSE_K = Shortlist.SIZE;
    /** At least the number of routers, so that all of them may pick differently. */
    private static final int TOP_K = 5;

    private static final int EPSILON_MILLI = 500;

    private static final Set<Kind> BY_SCORE = Set.of(Kind.LOAD_BALANCE, Kind.PREFIX_CACHE, Kind.SESSION_AFFINITY);

    public static final PickRule DEFAULT = of(RoutingStrategy.DEFAULT);

    private final String name;
    private final Kind kind;
    private final int draws;
    private final int k;
    private final int epsilonMilli;
    private final int[] weights;
    private final boolean byScore;
    private final boolean prefix;
    private final boolean session;

    private PickRule(String name, Kind kind, int draws, int k, int epsilonMilli, int[] weights, Set<Kind> kinds) {
        this.name = name;
        this.kind = kind;
        this.draws = draws;
        this.k = k;
        this.epsilonMilli = epsilonMilli;
        this.weights = weights;
        this.byScore = !Collections.disjoint(kinds, BY_SCORE);
        this.prefix = kinds.contains(Kind.LOAD_BALANCE) || kinds.contains(Kind.PREFIX_CACHE);
        this.session = kinds.contains(Kind.LOAD_BALANCE) || kinds.contains(Kind.SESSION_AFFINITY);
    }

    public static PickRule of(RoutingStrategy strategy) {
        int epsilonMilli = orElse(strategy.epsilon(), EPSILON_MILLI);
        int k = strategy.k() == null ? BY_DENSITY : strategy.k();
        if (strategy.terms().size() > 1) return blend(strategy, epsilonMilli);
        Kind kind = strategy.terms().getFirst().kind();
        return switch (kind) {
            case RANDOM -> single(kind, 1, 1, 0);
            case POWER_OF_TWO -> single(kind, 2, 1, 0);
            case LEAST_REQUEST -> single(kind, 0, 1, 0);
            case LEAST_REQUEST_TOP_K -> single(kind, 0, k == BY_DENSITY ? TOP_K : k, epsilonMilli);
            case LOAD_BALANCE, PREFIX_CACHE, SESSION_AFFINITY -> single(kind, 0, k, epsilonMilli);
        };
    }

    private static PickRule single(Kind kind, int draws, int k, int epsilonMilli) {
        return new PickRule(kind.key(), kind, draws, k, epsilonMilli, PickOrder.UNWEIGHTED, EnumSet.of(kind));
    }

    private static int orElse(@Nullable Double requests, int milli) {
        return requests == null ? milli : (int) Math.min(Math.round(requests * 1_000), PickOrder.MOST_EPSILON_MILLI);
    }

    private static PickRule blend(RoutingStrategy strategy, int epsilonMilli) {
        long[] sums = new long[PickOrder.TERMS];
        long all = 0;
        for (RoutingStrategy.Term term : strategy.terms()) {
            sums[PickOrder.termOf(term.kind())] += term.weight();
            all += term.weight();
        }
        int[] weights = new int[sums.length];
        for (int i = 0; i < sums.length; i++) weights[i] = (int) (sums[i] * PickOrder.MOST_WEIGHT / all);
        Kind kind = strategy.terms().getFirst().kind();
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        for (RoutingStrategy.Term term : strategy.terms()) if (term.weight() > 0) kinds.add(term.kind());
        return new PickRule(strategy.text(), kind, 0, Shortlist.SIZE, epsilonMilli, weights, kinds);
    }

    /** As operators write it. */
    public String name() {
        return name;
    }

    /** What candidates are compared by. */
    Candidates.Basis basis() {
        return byScore ? Candidates.Basis.SCORE : Candidates.Basis.LOAD;
    }

    boolean byScore() {
        return byScore;
    }

    /** True when it asks who has computed the beginning of the prompt. */
    public boolean prefix() {
        return prefix;
    }

    /** True when it asks where the session is. */
    public boolean session() {
        return session;
    }

    /** True when warmth is a term of a weighted sum, and no credit. */
    boolean weighted() {
        return weights != PickOrder.UNWEIGHTED;
    }

    /** How many candidates are drawn; 0 = the least loaded are taken. */
    int draws() {
        return draws;
    }

    /** How this rule picks in the pool as it is now. */
    long order(PoolLoad pool) {
        int now = k != BY_DENSITY ? k : pool.meanOwnMilli() >= DENSE_MEAN_MILLI ? DENSE_K : SPARSE_K;
        return PickOrder.of(kind, now, epsilonMilli, weights);
    }
}
