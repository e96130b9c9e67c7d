package dev.penstock.enginesim.step;

import java.util.random.RandomGenerator;

/**
 * Factor on a step's time: lognormal with median 1, and now and then a hiccup of 2 to 4 times.
 *
 * @param sigma of the logarithm; 0.05 is what steady engines show
 * @param hiccupShare share of steps that hit a hiccup; 0.001 is an estimate
 */
public record Jitter(double sigma, double hiccupShare) {
    public static final Jitter NONE = new Jitter(0, 0);

    double factor(RandomGenerator random) {
        double factor = sigma == 0 ? 1 : Math.exp(sigma * random.nextGaussian());
        return hiccupShare > 0 && random.nextDouble() < hiccupShare ? factor * (2 + 2 * random.nextDouble()) : factor;
    }
}
