package dev.penstock.testkit.record;

import dev.penstock.model.Sample;

/** A sample of an idle engine, sampled just now at the 50 ms interval. Each method gives a changed copy. */
public record SampleBuilder(int number, int running, int waiting, int kvUsedPpm, long heartbeat, long ageMicros) {
    private static final int INTERVAL_MILLIS = 50;

    public static SampleBuilder sample(int number) {
        return new SampleBuilder(number, 0, 0, 0, 1, 0);
    }

    public SampleBuilder running(int next) {
        return new SampleBuilder(number, next, waiting, kvUsedPpm, heartbeat, ageMicros);
    }

    public SampleBuilder waiting(int next) {
        return new SampleBuilder(number, running, next, kvUsedPpm, heartbeat, ageMicros);
    }

    public SampleBuilder heartbeat(long next) {
        return new SampleBuilder(number, running, waiting, kvUsedPpm, next, ageMicros);
    }

    public SampleBuilder ageMicros(long next) {
        return new SampleBuilder(number, running, waiting, kvUsedPpm, heartbeat, next);
    }

    public Sample build() {
        return new Sample(number, running, waiting, kvUsedPpm, heartbeat, 0, ageMicros, INTERVAL_MILLIS, 0);
    }
}
