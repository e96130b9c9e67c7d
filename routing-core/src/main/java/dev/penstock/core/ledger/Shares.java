package dev.penstock.core.ledger;

import java.util.random.RandomGenerator;

/**
 * How many slots of one replica each holder should have.
 *
 * <pre>
 *   floor    = 1 where the slots suffice for all holders, else 0
 *   need_g   = max(floor, used_g + its waiters here)
 *   share_g  = need_g + rest * weight_g / sum of weights     when the needs fit; rest = slots - sum of needs
 *              (with fewer slots than holders all the rest is that of one holder)
 *            = max(floor, min(need_g, weight_g * level))     when they do not, with the level at which the shares add up
 *   target_g = share_g, rounded up with the probability of its fraction
 * </pre>
 *
 * so that targets add up to the slots, and a holder's mean over many replicas is its exact share. One thread; keeps nothing from
 * one replica to the next.
 */
final class Shares {
    private double[] needs = {};
    private double[] weights = {};
    private double[] shares = {};
    private boolean[] fixed = {};
    private int[] targets = {};
    private int holders;

    /** Starts on a replica. */
    void of(int holders) {
        this.holders = holders;
        if (holders <= needs.length) return;
        needs = new double[holders];
        weights = new double[holders];
        shares = new double[holders];
        fixed = new boolean[holders];
        targets = new int[holders];
    }

    /** @param weight above 0 */
    void holder(int index, double need, double weight) {
        needs[index] = need;
        weights[index] = weight;
    }

    /**
     * @param restsAt the holder at which slots nobody needs rest when there are fewer than holders
     * @return whether the needs fit
     */
    boolean divide(int slots, int restsAt) {
        int floor = slots >= holders ? 1 : 0;
        double needed = 0;
        double weight = 0;
        for (int i = 0; i < holders; i++) {
            needs[i] = Math.max(floor, needs[i]);
            needed += needs[i];
            weight += weights[i];
        }
        double rest = slots - needed;
        if (rest < 0) {
            level(slots, floor);
            return false;
        }
        for (int i = 0; i < holders; i++) {
            double part = floor > 0 ? weights[i] / weight : i == restsAt ? 1 : 0;
            shares[i] = needs[i] + rest * part;
        }
        return true;
    }

    /** Each pass settles those whose bound is in the way of the common level: at most as many passes as holders. */
    private void level(double slots, int floor) {
        for (int i = 0; i < holders; i++) fixed[i] = false;
        while (true) {
            double left = slots;
            double weight = 0;
            for (int i = 0; i < holders; i++) {
                if (fixed[i]) left -= shares[i];
                else weight += weights[i];
            }
            if (weight == 0) return;
            double level = left / weight;
            double tooMuch = 0;
            for (int i = 0; i < holders; i++) {
                if (fixed[i]) continue;
                shares[i] = Math.clamp(weights[i] * level, floor, needs[i]);
                tooMuch += shares[i] - weights[i] * level;
            }
            if (!fix(level, tooMuch)) return;
        }
    }

    /** Those held up by the floor when too much is given away in sum, else those that need no more. */
    private boolean fix(double level, double tooMuch) {
        boolean any = false;
        for (int i = 0; i < holders; i++) {
            if (fixed[i]) continue;
            double unbound = weights[i] * level;
            boolean bound = tooMuch > 0 ? shares[i] > unbound : shares[i] < unbound;
            if (!bound) continue;
            fixed[i] = true;
            any = true;
        }
        return any;
    }

    /** One draw for all: whoever has a whole number gets it, the others one of the two next to theirs. */
    void round(int slots, RandomGenerator random) {
        double draw = random.nextDouble();
        double sum = draw;
        int before = 0;
        for (int i = 0; i < holders; i++) {
            sum += shares[i];
            int upTo = i == holders - 1 ? slots : Math.min(slots, (int) sum);
            targets[i] = upTo - before;
            before = upTo;
        }
    }

    double share(int index) {
        return shares[index];
    }

    int target(int index) {
        return targets[index];
    }
}
