package dev.penstock.core.capacity;

import dev.penstock.model.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Engines that are sent requests by what the learner tells of them, and so learned of by the requests they are sent. With b
 * requests an engine does C b / (b + h) work units per second, shared alike. Requests come at random, each of some hundred
 * units; each goes to the least (in flight + bias + 1) / capacity. One who is new has the bias of slow start.
 */
final class ServedFleet {
    private static final int STEPS_PER_SECOND = 100;
    private static final long STEP_NANOS = 1_000_000_000L / STEPS_PER_SECOND;
    private static final int STEPS_PER_SAMPLE = 5;
    private static final double SLOW_START_SECONDS = 8;
    private static final double MEAN_UNITS = 220;
    /** From second to second, by whatever else the machine does: standard deviation. */
    private static final double PACE_VARIES = 0.1;

    final CapacityLearner learner = new CapacityLearner();
    final List<ServedEngine> engines = new ArrayList<>();
    private final RandomGenerator random;
    private final DoubleUnaryOperator perSecond;
    private long steps;
    /** The lowest and the highest that was told of anybody over the mean of all. */
    double lowest = 1;

    double highest = 1;

    final class ServedEngine {
        final int number;
        final String hardwareClass;
        final double unitsPerSecond;
        final double half;
        private final WorkMeter meter = new WorkMeter();
        private final List<Double> left = new ArrayList<>();
        private final double joinedAt = seconds();
        private double pace = 1;
        private double units;
        private long completions;

        ServedEngine(int number, String hardwareClass, double unitsPerSecond, double half) {
            this.number = number;
            this.hardwareClass = hardwareClass;
            this.unitsPerSecond = unitsPerSecond;
            this.half = half;
        }

        private void work(double seconds) {
            if (steps % STEPS_PER_SECOND == 0) pace = Math.max(0.1, 1 + PACE_VARIES * random.nextGaussian());
            double each = pace * unitsPerSecond * seconds / (left.size() + half);
            for (int i = left.size() - 1; i >= 0; i--) {
                double done = Math.min(each, left.get(i));
                units += done;
                if (done < left.get(i)) {
                    left.set(i, left.get(i) - done);
                } else {
                    left.remove(i);
                    completions++;
                }
            }
        }

        private void sample() {
            meter.sample(
                    new Work((long) units + 1, 0, completions, Double.NaN),
                    Sample.UNKNOWN,
                    left.size(),
                    left.size(),
                    steps * STEP_NANOS);
        }

        private void tick() {
            if (!meter.tick()) return;
            learner.observe(number, hardwareClass, meter.work(), meter.meanInflight(), meter.dtNanos());
        }

        private double bias(double meanInflight) {
            return meanInflight * Math.max(0, 1 - (seconds() - joinedAt) / SLOW_START_SECONDS);
        }

        /** What routers make of it, 1 = the mean. */
        double told() {
            double sum = 0;
            int count = 0;
            for (ServedEngine each : engines) {
                int milli = learner.inflightMilli(each.number);
                sum += milli;
                if (milli > 0) count++;
            }
            int milli = learner.inflightMilli(number);
            return milli == 0 ? 1 : milli * count / sum;
        }
    }

    /** @param perSecond requests that come, at a time in seconds */
    ServedFleet(RandomGenerator random, DoubleUnaryOperator perSecond) {
        this.random = random;
        this.perSecond = perSecond;
    }

    /** So many that like engines are utilised so much, on average. */
    static double requestsPerSecond(int engines, double unitsPerSecond, double utilisation) {
        return engines * unitsPerSecond * utilisation / MEAN_UNITS;
    }

    double seconds() {
        return (double) steps / STEPS_PER_SECOND;
    }

    ServedEngine join(int number, String hardwareClass, double unitsPerSecond, double half) {
        var engine = new ServedEngine(number, hardwareClass, unitsPerSecond, half);
        engines.add(engine);
        return engine;
    }

    /** Its requests go with it. */
    void leave(ServedEngine engine) {
        engines.remove(engine);
        learner.forget(engine.number);
    }

    void run(int seconds) {
        for (int i = 0; i < seconds; i++) {
            for (int step = 0; step < STEPS_PER_SECOND; step++) step();
            for (ServedEngine each : engines) each.tick();
            learner.settle(1_000_000_000L);
            for (ServedEngine each : engines) {
                lowest = Math.min(lowest, each.told());
                highest = Math.max(highest, each.told());
            }
        }
    }

    private void step() {
        double expected = perSecond.applyAsDouble(seconds()) / STEPS_PER_SECOND;
        for (double at = random.nextExponential(); at < expected; at += random.nextExponential()) arrive();
        for (ServedEngine each : engines) each.work(1.0 / STEPS_PER_SECOND);
        steps++;
        if (steps % STEPS_PER_SAMPLE == 0) for (ServedEngine each : engines) each.sample();
    }

    private void arrive() {
        double mean = 0;
        for (ServedEngine each : engines) mean += (double) each.left.size() / engines.size();
        ServedEngine best = engines.getFirst();
        double least = Double.POSITIVE_INFINITY;
        for (ServedEngine each : engines) {
            double score = (each.left.size() + each.bias(mean) + 1 + 0.5 * random.nextDouble()) / each.told();
            if (score >= least) continue;
            least = score;
            best = each;
        }
        best.left.add(MEAN_UNITS * (0.5 + random.nextDouble()));
    }
}
