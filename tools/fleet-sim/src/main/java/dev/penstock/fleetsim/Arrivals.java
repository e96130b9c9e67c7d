package dev.penstock.fleetsim;

import java.util.function.Consumer;

/** Has the requests of a workload come when they are due. */
final class Arrivals {
    private final EventQueue events;
    private final Workload.Source source;
    private final Consumer<Demand> arrive;
    private boolean over;

    Arrivals(EventQueue events, Workload.Source source, Consumer<Demand> arrive) {
        this.events = events;
        this.source = source;
        this.arrive = arrive;
    }

    void startAfter(long nanos) {
        events.after(nanos, this::next);
    }

    /** Nothing comes any more. */
    boolean over() {
        return over;
    }

    private void next() {
        Workload.Arrival next = source.next();
        if (next == null) {
            over = true;
            return;
        }
        events.after(next.gapNanos(), () -> {
            arrive.accept(next.demand());
            next();
        });
    }
}
