package dev.penstock.collector.capacity;

/** Learns nothing: what was published before stands. */
public final class NoLearner implements PoolLearner {
    @Override
    public void observe(int number, String hardwareClass, double work, double meanInflight, long dtNanos) {}

    @Override
    public void settle(long dtNanos) {}

    @Override
    public void restarted(int number) {}

    @Override
    public void forget(int number) {}

    @Override
    public int capacityMilli(int number) {
        return 0;
    }
}
