package dev.penstock.ledgermodel.slots;

import java.util.PriorityQueue;

/** The virtual clock and what is due on it: by time, then by the order of asking. */
final class Timeline {
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long nowNanos;
    private long sequence;

    private record Event(long atNanos, long sequence, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }

    long nowNanos() {
        return nowNanos;
    }

    void at(long atNanos, Runnable action) {
        events.add(new Event(atNanos, sequence++, action));
    }

    void after(long delayNanos, Runnable action) {
        at(nowNanos + delayNanos, action);
    }

    void every(long firstNanos, long periodNanos, Runnable action) {
        after(firstNanos, () -> {
            action.run();
            every(periodNanos, periodNanos, action);
        });
    }

    void runUntil(long endNanos) {
        for (Event next = events.peek(); next != null && next.atNanos <= endNanos; next = events.peek()) {
            events.remove();
            nowNanos = next.atNanos;
            next.action.run();
        }
        nowNanos = endNanos;
    }
}
