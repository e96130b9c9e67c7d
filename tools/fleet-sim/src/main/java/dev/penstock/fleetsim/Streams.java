package dev.penstock.fleetsim;

import java.util.SplittableRandom;

/**
 * One random stream per purpose, so that what one part draws never shifts what another gets: two policies under the same
 * seed meet the same arrivals and the same service times.
 */
record Streams(long seed) {
    SplittableRandom of(String purpose) {
        return new SplittableRandom(new SplittableRandom(seed ^ ((long) purpose.hashCode() << 32)).nextLong());
    }
}
