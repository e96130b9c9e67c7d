package dev.penstock.core.capacity;

/** One replica: what it did, and what was made of it. One writer. */
final class ReplicaCapacity {
    /** Of one speed, to have a mean and a spread about it. */
    private static final double FEWEST_WINDOWS = 4;

    final int number;
    final String hardwareClass;
    final Speed speed = new Speed();
    private final SaturationFit fit = new SaturationFit();
    /** Of before it changed its speed. */
    private final FitEvidence earlier = new FitEvidence();

    private final ChangeWatch watch = new ChangeWatch();

    private double tickWork;
    private double tickInflightSeconds;
    private double tickSeconds;

    /** Of the last 5 s or so. */
    private double doneOfLate;

    private double expectedOfLate;

    /** Learned; 0 before anybody of the pool has worked. */
    double throughput;

    /** Learned; 0 before anything was. */
    double half;

    /** What others had learned of its half; 0 = nothing, or it has changed since. */
    double told;

    double divisor;
    double published;
    double idleSeconds;
    double lastInflight;

    ReplicaCapacity(int number, String hardwareClass) {
        this.number = number;
        this.hardwareClass = hardwareClass;
    }

    void tick(double work, double meanInflight, double seconds) {
        tickWork += work;
        tickInflightSeconds += meanInflight * seconds;
        tickSeconds += seconds;
    }

    void expect(double half) {
        told = half;
        this.half = half;
        // told and not changed: nobody has to get used to it
        divisor = 0;
    }

    double work() {
        return tickWork;
    }

    private double inflight() {
        return tickSeconds == 0 ? 0 : tickInflightSeconds / tickSeconds;
    }

    /** Of the tick, in seconds of full use; 0 when it had too little to do. */
    double effortSeconds() {
        double inflight = inflight();
        return inflight < CapacityLearner.LEAST_INFLIGHT ? 0 : tickSeconds * inflight / (inflight + half);
    }

    /** By itself; 0 = nothing known. */
    double ownThroughput() {
        return speed.at(half);
    }

    void fade(double factor, double fitFactor) {
        speed.fade(factor);
        fit.fade(fitFactor);
        earlier.fade(fitFactor);
    }

    /** All that was done, as if by one that much faster. */
    void scale(double factor) {
        throughput *= factor;
        speed.scale(factor);
        fit.scaleRates(factor);
        watch.scale(factor);
        expectedOfLate *= factor;
    }

    /** Has the tick weigh in what is compared with others, and the past less. */
    void fadeLate(double keep) {
        double effort = half == 0 ? 0 : effortSeconds();
        if (throughput <= 0 || effort == 0) return;
        doneOfLate = doneOfLate * keep + tickWork;
        expectedOfLate = expectedOfLate * keep + throughput * effort;
    }

    double doneOverExpected() {
        return expectedOfLate == 0 ? 0 : doneOfLate / expectedOfLate;
    }

    /**
     * Ends the tick.
     *
     * @param expected work in it; 0 = no idea
     */
    void learn(double expected, double noise) {
        if (tickSeconds == 0) return;
        double inflight = inflight();
        double effort = effortSeconds();
        lastInflight = inflight;
        idleSeconds = inflight > 0 || tickWork > 0 ? 0 : idleSeconds + tickSeconds;
        fit.add(tickWork, inflight, tickSeconds);
        if (effort > 0) {
            var sample = new ChangeWatch.Sample(tickWork, inflight, effort, tickSeconds);
            speed.add(sample);
            if (expected > 0 && watch.changed(sample, expected, noise)) beginAnew();
        }
        tickWork = 0;
        tickInflightSeconds = 0;
        tickSeconds = 0;
    }

    /**
     * It is known by what it did since it changed. Windows of before and after have each their own mean: where it saturates is
     * told by either, and a change is often only what a wrong half makes of a load that swings.
     */
    private void beginAnew() {
        tellOfPresent(earlier);
        speed.set(watch.since());
        watch.clear();
        fit.fade(0);
        told = 0;
        doneOfLate = 0;
        expectedOfLate = 0;
    }

    /** What it tells of its half. */
    void tell(FitEvidence evidence) {
        evidence.add(earlier);
        tellOfPresent(evidence);
    }

    private void tellOfPresent(FitEvidence evidence) {
        double own = ownThroughput();
        if (own > 0 && fit.windows() >= FEWEST_WINDOWS) evidence.add(fit, own);
    }
}
