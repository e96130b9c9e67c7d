package dev.penstock.fleetsim;

import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/** The virtual clock and what is due on it: by time, then by the order of asking. */
public final class EventQueue {
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long nowNanos;
    private long sequence;
    private boolean stopped;

    private record Event(long atNanos, long sequence, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }

    public long nowNanos() {
        return nowNanos;
    }

    public void at(long atNanos, Runnable action) {
        if (atNanos < nowNanos) {
            throw new IllegalArgumentException("event at " + atNanos + " ns, but it is " + nowNanos + " ns");
        }
        events.add(new Event(atNanos, sequence++, action));
    }

    public void after(long delayNanos, Runnable action) {
        at(nowNanos + delayNanos, action);
    }

    /** First after {@code firstNanos}, then each period for as long as {@code action} returns true. */
    public void every(long firstNanos, long periodNanos, BooleanSupplier action) {
        after(firstNanos, () -> {
            if (action.getAsBoolean()) every(periodNanos, periodNanos, action);
        });
    }

    /** Nothing runs after the present action: all that was of interest is over. */
    public void stop() {
        stopped = true;
    }

    /** Runs what is due up to and including {@code endNanos}, and leaves the clock there. */
    public void runUntil(long endNanos) {
        for (Event next = events.peek(); next != null && next.atNanos <= endNanos; next = events.peek()) {
            if (stopped) return;
            events.remove();
            nowNanos = next.atNanos;
            next.action.run();
        }
        nowNanos = endNanos;
    }
}
