package dev.penstock.core.capacity;

/**
 * What replicas' windows tell of h ({@link SaturationFit}), summed over them, each over its own C. Against p, what is thought
 * of h before:
 *
 * <pre>
 *   G = sum cov(X, Z)      L = sum -cov(x, Z)              G - h L is 0 on the mean, at the true h
 *   V(h) = sum S_zz var(X + h x) = a + 2 b h + c h^2       its variance: X + h x of windows, which would be C without noise
 *   F = L^2 / c                                            whether more requests make each slower, at all
 *   s^2 = (G - p L)^2 / V(p)                               how strange the evidence is to who takes h for p
 *
 *   h = p + t L (G - p L) / (L^2 + k V(p) / p^2)
 *   t = clamp(F / 10 - 1, 0, 1)      k = max(0, 1 - s^2 / 16)^2 / spread^2
 * </pre>
 *
 * The fraction is the posterior mean of h - p, where h is normal about p with a deviation of spread x p (linear regression with
 * a normal prior and one instrument). It is moved by evidence for its weight, where G / L is noise over noise as long as little
 * varies. Engines far below h lose nothing by one more request, whatever h is; then L is noise. F is the statistic of the
 * first stage of a regression with an instrument, and ten the least at which its ratio says anything (Staiger and Stock,
 * "Instrumental variables regression with weak instruments", Econometrica 65, 1997). The prior gives way to what is four standard
 * errors off: one of a fixed weight would hold back who is truly unlike. Written and read by the learner's thread.
 */
final class FitEvidence {
    /** F of an instrument that tells nothing. */
    private static final double WEAK = 10;

    private static final double STRANGE_ERRORS = 4;
    private static final double LEAST_HALF = 1;
    private static final double MOST_HALF = 4_096;

    /** How much windows vary is not known of fewer. */
    private static final double FEWEST_WINDOWS = 8;

    private double windows;
    private double gain;
    private double loss;
    private double allSpread;
    private double jointSpread;
    private double eachSpread;

    void clear() {
        windows = 0;
        gain = 0;
        loss = 0;
        allSpread = 0;
        jointSpread = 0;
        eachSpread = 0;
    }

    void fade(double factor) {
        windows *= factor;
        gain *= factor;
        loss *= factor;
        allSpread *= factor;
        jointSpread *= factor;
        eachSpread *= factor;
    }

    void add(FitEvidence other) {
        windows += other.windows;
        gain += other.gain;
        loss += other.loss;
        allSpread += other.allSpread;
        jointSpread += other.jointSpread;
        eachSpread += other.eachSpread;
    }

    /** @param throughput of the replica, that the rates are of */
    void add(SaturationFit fit, double throughput) {
        double variance = fit.instrumentSpread() / (throughput * throughput);
        windows += fit.windows();
        gain += fit.gain() / throughput;
        loss += fit.loss() / throughput;
        allSpread += variance * fit.allVariance();
        jointSpread += variance * fit.jointVariance();
        eachSpread += variance * fit.eachVariance();
    }

    /**
     * @param prior p
     * @param spread how far h may well be from it, as a share of it
     * @param farthest how far it may be at all, as a factor
     */
    double half(double prior, double spread, double farthest) {
        double variance = allSpread + 2 * prior * jointSpread + prior * prior * eachSpread;
        if (windows < FEWEST_WINDOWS || !(loss > 0) || !(variance > 0) || !(eachSpread > 0)) return prior;
        double trust = Math.clamp(loss * loss / eachSpread / WEAK - 1, 0, 1);
        double off = gain - prior * loss;
        double like = Math.max(0, 1 - off * off / variance / (STRANGE_ERRORS * STRANGE_ERRORS));
        double held = like * like * variance / (spread * spread * prior * prior);
        double half = prior + trust * loss * off / (loss * loss + held);
        double least = Math.max(LEAST_HALF, prior / farthest);
        double most = Math.min(MOST_HALF, prior * farthest);
        return Math.clamp(half, Math.min(least, most), most);
    }
}
