package dev.penstock.fleetsim;

/** Looks while measuring how evenly requests are spread. */
final class BalanceWatch {
    private static final long LOOK_NANOS = 100_000_000L;

    private BalanceWatch() {}

    static void start(EventQueue events, Scene.Span span, Replicas replicas, Tally tally) {
        events.every(span.warmNanos(), LOOK_NANOS, () -> {
            if (!span.measuredAt(events.nowNanos())) return false;
            look(replicas, tally);
            return true;
        });
    }

    private static void look(Replicas replicas, Tally tally) {
        long sum = 0;
        int most = 0;
        for (Engine engine : replicas.engines()) {
            int inflight = engine.inflight();
            sum += inflight;
            most = Math.max(most, inflight);
        }
        if (sum > 0) tally.balance((double) most * replicas.size() / sum);
    }
}
