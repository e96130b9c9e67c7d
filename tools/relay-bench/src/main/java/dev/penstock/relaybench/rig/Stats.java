package dev.penstock.relaybench.rig;

import org.HdrHistogram.Histogram;

/** What the clients saw. */
final class Stats {
    private static final long MOST_NANOS = 60_000_000_000L;

    private final Histogram latency = new Histogram(MOST_NANOS, 3);
    private final Histogram firstEvent = new Histogram(MOST_NANOS, 3);
    private long answered;
    private long events;
    private long failed;
    private long abandoned;
    private String lastFailure = "none";

    void answered(long scheduledNanos) {
        answered++;
        latency.recordValue(since(scheduledNanos));
    }

    void firstEvent(long scheduledNanos) {
        firstEvent.recordValue(since(scheduledNanos));
    }

    void events(int count) {
        events += count;
    }

    void failed(String how) {
        failed++;
        lastFailure = how;
    }

    void abandoned() {
        abandoned++;
    }

    private static long since(long nanos) {
        return Math.clamp(System.nanoTime() - nanos, 0, MOST_NANOS);
    }

    void clear() {
        latency.reset();
        firstEvent.reset();
        answered = 0;
        events = 0;
        failed = 0;
        abandoned = 0;
        lastFailure = "none";
    }

    String words() {
        return "answered=" + answered + " events=" + events + " failed=" + failed + " abandoned=" + abandoned
                + " p50=" + latency.getValueAtPercentile(50) + " p99=" + latency.getValueAtPercentile(99)
                + " first50=" + firstEvent.getValueAtPercentile(50) + " first99="
                + firstEvent.getValueAtPercentile(99) + " lastFailure=" + lastFailure.replace(' ', '_');
    }
}
