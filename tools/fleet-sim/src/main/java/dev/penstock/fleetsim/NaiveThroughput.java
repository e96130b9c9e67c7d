package dev.penstock.fleetsim;

import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import org.jspecify.annotations.Nullable;

/**
 * The post's formula, where capacity is what was seen: tokens per second, smoothed over 10 s, whether or not the replica had
 * enough to do. One that has little to do looks slow, and is given less.
 */
final class NaiveThroughput implements Picker {
    private static final long TICK_NANOS = 1_000_000_000L;
    private static final double KEEP = Math.exp(-0.1);
    /** A replica that does nothing at all stays comparable. */
    private static final double LEAST = 1e-3;

    private final Picker.Knowledge knowledge;
    private final Ranking ranking;
    private final double[] perSecond;
    private final long[] counted;
    private long tickNanos;

    NaiveThroughput(Picker.Knowledge knowledge) {
        this.knowledge = knowledge;
        this.perSecond = new double[knowledge.replicas().size()];
        this.counted = new long[perSecond.length];
        this.ranking = new Ranking(
                knowledge.random(),
                (entry, now) -> (Policy.raw(entry, knowledge) + 1.0)
                        / Math.max(LEAST, perSecond[entry.replica().number()]));
    }

    @Override
    public @Nullable ReplicaEntry pick(RosterImage image, long nowNanos) {
        if (nowNanos - tickNanos >= TICK_NANOS) look(nowNanos);
        return ranking.pick(image, nowNanos);
    }

    private void look(long nowNanos) {
        boolean first = tickNanos == 0;
        double seconds = (nowNanos - tickNanos) / 1e9;
        tickNanos = nowNanos;
        for (int number = 0; number < perSecond.length; number++) {
            Engine.Tokens tokens = knowledge.replicas().engine(number).tokens();
            if (tokens == null) continue;
            double seen = (tokens.output() - counted[number]) / seconds;
            counted[number] = tokens.output();
            perSecond[number] = first ? seen : KEEP * perSecond[number] + (1 - KEEP) * seen;
        }
    }
}
