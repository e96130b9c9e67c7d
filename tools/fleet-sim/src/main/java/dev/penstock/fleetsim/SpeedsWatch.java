package dev.penstock.fleetsim;

import java.util.Arrays;

/**
 * Watches a fleet of two speeds while measuring, by looks 200 ms apart:
 *
 * <ul>
 *   <li>utilisation, what is done over what could be, of the slow and of the fast half: the difference of their means,
 *   <li>how far what is learned of speeds is from the truth: the median over replicas, mean over looks. A common factor is no
 *       error: replicas of one pool are compared with one another, and nobody knows exactly what a prompt token costs,
 *   <li>how many replicas were sent less than a twentieth of their share in the second half of measuring,
 *   <li>of replicas whose speed changes: until the last of them was known to a tenth for the first time; to the end of
 *       measuring, if it never is.
 * </ul>
 */
final class SpeedsWatch {
    private static final long LOOK_NANOS = 200_000_000L;
    private static final double STARVED_SHARE = 0.05;
    private static final double CONVERGED = 0.1;

    private final EventQueue events;
    private final Scene.Span span;
    private final EngineModel.TwoSpeeds speeds;
    private final Replicas replicas;
    private final Telemetry telemetry;
    private final Tally tally;
    private final double[] utilisation = new double[2];
    private final int[] atHalf;
    private final double[] converged;
    private double errors;
    private int looks;

    SpeedsWatch(
            EventQueue events,
            Scene.Span span,
            EngineModel.TwoSpeeds speeds,
            Replicas replicas,
            Telemetry telemetry,
            Tally tally) {
        this.events = events;
        this.span = span;
        this.speeds = speeds;
        this.replicas = replicas;
        this.telemetry = telemetry;
        this.tally = tally;
        this.atHalf = new int[replicas.size()];
        this.converged = new double[2 * speeds.stepping()];
        Arrays.fill(converged, Double.POSITIVE_INFINITY);
    }

    void start() {
        events.at(span.warmNanos() + span.measuredNanos() / 2, () -> {
            for (int number = 0; number < atHalf.length; number++) atHalf[number] = tally.sentToSoFar(number);
        });
        events.every(span.warmNanos(), LOOK_NANOS, () -> {
            look();
            boolean goOn = events.nowNanos() + LOOK_NANOS < span.measureEndNanos();
            if (!goOn) tell();
            return goOn;
        });
    }

    private SharingEngine engine(int number) {
        return (SharingEngine) replicas.engine(number);
    }

    private void look() {
        looks++;
        for (int number = 0; number < replicas.size(); number++) {
            utilisation[number % 2] += engine(number).utilisation();
        }
        double[] ratios = new double[replicas.size()];
        for (int number = 0; number < ratios.length; number++) {
            ratios[number] =
                    telemetry.learner().throughput(number) / engine(number).capacity();
        }
        double common = median(ratios.clone());
        double[] off = new double[ratios.length];
        for (int number = 0; number < ratios.length; number++) off[number] = Math.abs(ratios[number] / common - 1);
        for (int number = 0; number < converged.length; number++) {
            double seconds = (events.nowNanos() - speeds.stepNanos()) / 1e9;
            if (seconds > 0 && off[number] <= CONVERGED) converged[number] = Math.min(converged[number], seconds);
        }
        errors += median(off);
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return (values[(values.length - 1) / 2] + values[values.length / 2]) / 2;
    }

    private void tell() {
        double each = looks * replicas.size() / 2.0;
        tally.utilisationGapPoints = 100 * Math.abs(utilisation[1] - utilisation[0]) / each;
        tally.capacityErrorPct = 100 * errors / looks;
        tally.starvedReplicas = starved();
        double watched = (span.measureEndNanos() - speeds.stepNanos()) / 1e9;
        for (double seconds : converged) {
            double held = Math.min(seconds, watched);
            tally.convergeSeconds = Double.isNaN(tally.convergeSeconds) ? held : Math.max(tally.convergeSeconds, held);
        }
    }

    private int starved() {
        double sent = 0;
        double capacity = 0;
        for (int number = 0; number < atHalf.length; number++) {
            sent += tally.sentToSoFar(number) - atHalf[number];
            capacity += engine(number).capacity();
        }
        int starved = 0;
        for (int number = 0; number < atHalf.length; number++) {
            double fair = sent * engine(number).capacity() / capacity;
            if (tally.sentToSoFar(number) - atHalf[number] < STARVED_SHARE * fair) starved++;
        }
        return starved;
    }
}
