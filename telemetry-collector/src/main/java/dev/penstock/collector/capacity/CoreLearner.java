package dev.penstock.collector.capacity;

import dev.penstock.core.capacity.CapacityLearner;

/** The learner of routing-core. */
public final class CoreLearner implements PoolLearner {
    private final CapacityLearner learner = new CapacityLearner();

    @Override
    public void observe(int number, String hardwareClass, double work, double meanInflight, long dtNanos) {
        learner.observe(number, hardwareClass, work, meanInflight, dtNanos);
    }

    @Override
    public void expect(int number, String hardwareClass, int capacityMilli) {
        learner.expect(number, hardwareClass, capacityMilli / 1e3);
    }

    @Override
    public void settle(long dtNanos) {
        learner.settle(dtNanos);
    }

    @Override
    public void restarted(int number) {
        learner.restarted(number);
    }

    @Override
    public void forget(int number) {
        learner.forget(number);
    }

    @Override
    public int capacityMilli(int number) {
        return learner.inflightMilli(number);
    }

    @Override
    public int middleMilli() {
        return learner.middleMilli();
    }

    @Override
    public boolean explored(int number) {
        return learner.explored(number);
    }

    @Override
    public double throughput(int number) {
        return learner.throughput(number);
    }
}
