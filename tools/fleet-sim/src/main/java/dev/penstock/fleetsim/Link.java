package dev.penstock.fleetsim;

import java.util.List;
import java.util.random.RandomGenerator;

/** One way of records from their producer to one reader: late, sometimes lost, sometimes twice, sometimes overtaken. */
final class Link {
    private final EventQueue events;
    private final Quality usual;
    private final List<Network.Disturbance> disturbances;
    private final RandomGenerator random;

    /**
     * @param jitterNanos the most that comes on top of the delay, drawn evenly per record: more than the time between two
     *     records, and they overtake each other
     * @param loss share of records that never arrive; 1 is a partition
     * @param duplication share of records that arrive twice, the second one delay later
     */
    record Quality(long delayNanos, long jitterNanos, double loss, double duplication) {
        Quality {
            if (delayNanos < 0) throw new IllegalArgumentException("link: delay " + delayNanos + " ns is negative");
            if (jitterNanos < 0) throw new IllegalArgumentException("link: jitter " + jitterNanos + " ns is negative");
            requireShare("loss", loss);
            requireShare("duplication", duplication);
        }

        static Quality late(long delayNanos) {
            return new Quality(delayNanos, 0, 0, 0);
        }

        static Quality cut() {
            return new Quality(0, 0, 1, 0);
        }

        private static void requireShare(String what, double share) {
            if (share >= 0 && share <= 1) return;
            throw new IllegalArgumentException("link: " + what + " " + share + " is not in [0, 1]");
        }
    }

    /** @param disturbances of this link: while one lasts, its quality stands for the usual one */
    Link(EventQueue events, Quality usual, List<Network.Disturbance> disturbances, RandomGenerator random) {
        this.events = events;
        this.usual = usual;
        this.disturbances = disturbances;
        this.random = random;
    }

    void send(Runnable delivery) {
        Quality quality = quality();
        if (random.nextDouble() < quality.loss) return;
        long delay = delay(quality);
        events.after(delay, delivery);
        if (random.nextDouble() < quality.duplication) events.after(delay + delay(quality), delivery);
    }

    private long delay(Quality quality) {
        return quality.delayNanos + (quality.jitterNanos == 0 ? 0 : random.nextLong(quality.jitterNanos));
    }

    private Quality quality() {
        for (Network.Disturbance each : disturbances) if (each.lastsAt(events.nowNanos())) return each.quality();
        return usual;
    }
}
