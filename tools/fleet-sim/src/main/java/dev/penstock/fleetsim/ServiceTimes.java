package dev.penstock.fleetsim;

import java.util.random.RandomGenerator;

/** How long an engine works on a request once it has a slot. */
sealed interface ServiceTimes {
    double meanNanos();

    long drawNanos(RandomGenerator random);

    record Exponential(double meanNanos) implements ServiceTimes {
        @Override
        public long drawNanos(RandomGenerator random) {
            return (long) (random.nextExponential() * meanNanos);
        }
    }

    /** @param sigma of the logarithm */
    record Lognormal(double meanNanos, double sigma) implements ServiceTimes {
        @Override
        public long drawNanos(RandomGenerator random) {
            double mu = Math.log(meanNanos) - sigma * sigma / 2;
            return (long) Math.exp(mu + sigma * random.nextGaussian());
        }
    }
}
