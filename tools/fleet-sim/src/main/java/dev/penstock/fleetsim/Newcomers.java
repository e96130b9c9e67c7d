package dev.penstock.fleetsim;

import java.util.Arrays;

/**
 * Watches replicas that join, by looks 100 ms apart that are averaged over the last 2 s (requests come and go by chance):
 *
 * <ul>
 *   <li>how long it takes until the slowest of them has had 80 % of the established ones' mean in flight; to the end of
 *       measuring, if it never does,
 *   <li>if they are at least half as many as the established ones, whose load then falls: by how much the established ones'
 *       mean was at most above what it was in the time before the joining. With fewer, the fleet's own ups and downs
 *       would be all that shows.
 * </ul>
 */
final class Newcomers {
    private static final long LOOK_NANOS = 100_000_000L;
    private static final int LOOKS = 20;
    private static final double SHARE = 0.8;

    private final EventQueue events;
    private final Scene.Span span;
    private final Scene.Joining joining;
    private final Replicas replicas;
    private final int established;
    private final Tally tally;
    private final double[][] history;
    private final double[] reachedSeconds;
    private int looks;
    private double before;
    private int looksBefore;
    private double most = Double.NEGATIVE_INFINITY;

    /** @param established how many there are before the joining: the lower numbers */
    Newcomers(
            EventQueue events,
            Scene.Span span,
            Scene.Joining joining,
            Replicas replicas,
            int established,
            Tally tally) {
        this.events = events;
        this.span = span;
        this.joining = joining;
        this.replicas = replicas;
        this.established = established;
        this.tally = tally;
        this.history = new double[1 + joining.replicas()][LOOKS];
        this.reachedSeconds = new double[joining.replicas()];
        Arrays.fill(reachedSeconds, Double.POSITIVE_INFINITY);
    }

    void start() {
        events.every(span.warmNanos(), LOOK_NANOS, () -> {
            look();
            boolean goOn = events.nowNanos() + LOOK_NANOS < span.measureEndNanos();
            if (!goOn) tell();
            return goOn;
        });
    }

    private void look() {
        double sum = 0;
        for (int number = 0; number < established; number++)
            sum += replicas.engine(number).inflight();
        double mean = sum / established;
        history[0][looks % LOOKS] = mean;
        for (int i = 0; established + i < replicas.size(); i++) {
            history[1 + i][looks % LOOKS] = replicas.engine(established + i).inflight();
        }
        looks++;
        if (events.nowNanos() < joining.atNanos()) {
            before += mean;
            looksBefore++;
        } else if (looks >= LOOKS) {
            compare();
        }
    }

    private void compare() {
        double level = average(history[0]);
        most = Math.max(most, level);
        for (int i = 0; i < reachedSeconds.length; i++) {
            if (average(history[1 + i]) < SHARE * level) continue;
            reachedSeconds[i] = Math.min(reachedSeconds[i], (events.nowNanos() - joining.atNanos()) / 1e9);
        }
    }

    private static double average(double[] values) {
        double sum = 0;
        for (double each : values) sum += each;
        return sum / LOOKS;
    }

    private void tell() {
        double slowest = 0;
        double watched = (span.measureEndNanos() - joining.atNanos()) / 1e9;
        for (double each : reachedSeconds) slowest = Math.max(slowest, Math.min(each, watched));
        boolean many = 2 * joining.replicas() >= established;
        tally.newcomers(slowest, many ? 100 * (most / (before / looksBefore) - 1) : Double.NaN);
    }
}
