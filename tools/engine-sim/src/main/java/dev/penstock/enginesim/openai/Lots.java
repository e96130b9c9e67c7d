package dev.penstock.enginesim.openai;

import java.util.random.RandomGenerator;

/** Which requests a fault with a share hits: drawn from a seed, so that a run can be repeated. */
public final class Lots {
    private static final int ALL = 100;

    private final RandomGenerator random;

    public Lots(RandomGenerator random) {
        this.random = random;
    }

    boolean hit(int percent) {
        return percent >= ALL || random.nextInt(ALL) < percent;
    }
}
