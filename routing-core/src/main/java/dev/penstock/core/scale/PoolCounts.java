package dev.penstock.core.scale;

import dev.penstock.model.DemandRecord.ModelDemand;
import java.util.ArrayDeque;
import java.util.Deque;

/** One pool's share of all routers' records. One writer. */
final class PoolCounts {
    private static final int ENOUGH_COMPLETED = 10;

    /** Sums at a time; differences of two are what happened between them. */
    private record Mark(long nanos, long unserved, long completed, long serviceMicros) {}

    private final AdviceTimes times;
    private final Deque<Mark> marks = new ArrayDeque<>();
    private final DemandSeries series;
    private long unserved;
    private long completed;
    private long serviceMicros;
    private int running;
    private int queued;
    private double unservedPerSecond;
    private double serviceSeconds = DemandBook.SERVICE_PRIOR_SECONDS;
    private double current;
    private boolean mentioned;
    private long mentionedNanos;

    PoolCounts(AdviceTimes times) {
        this.times = times;
        this.series = new DemandSeries(times.longMean().toNanos());
    }

    void mentioned(long nowNanos) {
        mentioned = true;
        mentionedNanos = nowNanos;
    }

    boolean forgotten(long nowNanos, long forgetNanos) {
        return !mentioned || nowNanos - mentionedNanos > forgetNanos;
    }

    void grow(long moreUnserved, long moreCompleted, long moreServiceMicros, long nowNanos) {
        if (marks.isEmpty()) marks.addLast(new Mark(nowNanos, unserved, completed, serviceMicros));
        unserved += moreUnserved;
        completed += Math.max(0, moreCompleted);
        serviceMicros += Math.max(0, moreServiceMicros);
    }

    void zero() {
        running = 0;
        queued = 0;
    }

    void add(ModelDemand model) {
        running += model.running();
        queued += model.queued();
    }

    void tick(long nowNanos, boolean known) {
        marks.addLast(new Mark(nowNanos, unserved, completed, serviceMicros));
        while (nowNanos - marks.getFirst().nanos() > DemandBook.serviceWindowNanos()) marks.removeFirst();
        if (!known) {
            series.gap(nowNanos);
            return;
        }
        Mark first = marks.getFirst();
        if (completed - first.completed() >= ENOUGH_COMPLETED) {
            serviceSeconds = (serviceMicros - first.serviceMicros()) / 1e6 / (completed - first.completed());
        }
        long window = times.rateWindow().toNanos();
        unservedPerSecond = Math.max(0, unserved - since(nowNanos - window).unserved()) * 1e9 / window;
        current = DemandBook.demand(running, unservedPerSecond, queued, serviceSeconds);
        series.add(nowNanos, current);
    }

    private Mark since(long nanos) {
        for (Mark mark : marks) {
            if (mark.nanos() - nanos >= 0) return mark;
        }
        return marks.getLast();
    }

    PoolDemand demand(long nowNanos, boolean known, long inputsAgeNanos) {
        return new PoolDemand(
                known,
                inputsAgeNanos,
                running,
                queued,
                unservedPerSecond,
                serviceSeconds,
                current,
                series.mean(times.longMean().toNanos(), nowNanos),
                series.mean(times.shortMean().toNanos(), nowNanos),
                series.seenNanos());
    }
}
