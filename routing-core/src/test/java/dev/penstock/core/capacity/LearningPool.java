package dev.penstock.core.capacity;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;

/** Engines with a hidden C and h, and a learner that watches them, in ticks of a second. */
final class LearningPool {
    static final long TICK_NANOS = 1_000_000_000L;
    private static final double NOISE = 0.2;

    final CapacityLearner learner;
    final List<HiddenEngine> engines = new ArrayList<>();
    private final RandomGenerator random;
    private int second;

    static final class HiddenEngine {
        final int number;
        final String hardwareClass;
        double perSecond;
        final double half;

        HiddenEngine(int number, String hardwareClass, double perSecond, double half) {
            this.number = number;
            this.hardwareClass = hardwareClass;
            this.perSecond = perSecond;
            this.half = half;
        }

        double work(double inflight) {
            return perSecond * inflight / (inflight + half);
        }
    }

    LearningPool(CapacityLearner learner, RandomGenerator random) {
        this.learner = learner;
        this.random = random;
    }

    HiddenEngine add(String hardwareClass, double perSecond, double half) {
        var engine = new HiddenEngine(engines.size(), hardwareClass, perSecond, half);
        engines.add(engine);
        return engine;
    }

    /**
     * @param inflight at a time in seconds; of each replica 10 % more or less
     * @param pace of all: less than 1 where requests are of a kind that looks slow
     */
    void run(int seconds, DoubleUnaryOperator inflight, double pace) {
        for (int i = 0; i < seconds; i++) {
            second++;
            for (HiddenEngine each : engines) {
                double its = inflight.applyAsDouble(second) * (0.9 + 0.2 * random.nextDouble());
                double work = pace * each.work(its) * Math.max(0, 1 + NOISE * random.nextGaussian());
                learner.observe(each.number, each.hardwareClass, work, its, TICK_NANOS);
            }
            learner.settle(TICK_NANOS);
        }
    }

    void run(int seconds, DoubleUnaryOperator inflight) {
        run(seconds, inflight, 1);
    }

    /** Between 3 and 40, once a minute. */
    static double swing(double second) {
        return 3 + 37 * (1 - Math.cos(second * Math.PI / 30)) / 2;
    }

    /** What is learned over the truth, over the same of the median replica: a common factor is no error. */
    double relative(HiddenEngine engine) {
        double[] ratios = new double[engines.size()];
        for (int i = 0; i < ratios.length; i++) ratios[i] = ratio(engines.get(i));
        return ratio(engine) / CapacityLearner.median(ratios, ratios.length);
    }

    private double ratio(HiddenEngine engine) {
        return learner.throughput(engine.number) / engine.perSecond;
    }
}
