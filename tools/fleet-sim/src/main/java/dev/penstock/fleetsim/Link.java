package dev.penstock.fleetsim;

import java.util.random.RandomGenerator;

/** One way of a record from its producer to one reader: late, sometimes lost, sometimes twice. */
final class Link {
    private final EventQueue events;
    private final Quality quality;
    private final RandomGenerator random;

    /**
     * @param loss share of records that never arrive
     * @param duplication share of records that arrive twice, the second one delay later
     */
    record Quality(long delayNanos, double loss, double duplication) {
        Quality {
            if (delayNanos < 0) throw new IllegalArgumentException("link: delay " + delayNanos + " ns is negative");
            if (!(loss >= 0 && loss < 1))
                throw new IllegalArgumentException("link: loss " + loss + " is not in [0, 1)");
            if (!(duplication >= 0 && duplication <= 1)) {
                throw new IllegalArgumentException("link: duplication " + duplication + " is not in [0, 1]");
            }
        }
    }

    Link(EventQueue events, Quality quality, RandomGenerator random) {
        this.events = events;
        this.quality = quality;
        this.random = random;
    }

    void send(Runnable delivery) {
        if (random.nextDouble() < quality.loss) return;
        events.after(quality.delayNanos, delivery);
        if (random.nextDouble() < quality.duplication) events.after(2 * quality.delayNanos, delivery);
    }
}
