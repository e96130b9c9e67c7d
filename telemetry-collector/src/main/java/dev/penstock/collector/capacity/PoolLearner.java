package dev.penstock.collector.capacity;

/** Learns what the replicas of one pool can do, each relative to the others. One thread. */
public interface PoolLearner {
    /**
     * A tick of one replica.
     *
     * @param hardwareClass empty = none named
     */
    void observe(int number, String hardwareClass, double work, double meanInflight, long dtNanos);

    /**
     * What was published of a replica before, by whoever learned it.
     *
     * @param hardwareClass empty = none named
     * @param capacityMilli as {@link #capacityMilli}
     */
    void expect(int number, String hardwareClass, int capacityMilli);

    /** Makes something of what was observed since the last time. */
    void settle(long dtNanos);

    void restarted(int number);

    void forget(int number);

    /** Requests in flight at which it does half of what it can, thousandths; 0 = not known. */
    int capacityMilli(int number);

    /** The same of a replica as the middle of those that are known; 0 = none is. All may move by whatever that moves. */
    int middleMilli();

    /** Whether it is given more than was learned of it, because it had nothing to do and may have changed. */
    boolean explored(int number);

    /** Work units per second when full, for people; 0 = not known. */
    double throughput(int number);
}
