package dev.penstock.fleetsim;

import dev.penstock.model.Header;
import dev.penstock.model.Sample;
import dev.penstock.model.Shards;
import dev.penstock.model.TelemetryFrame;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/** Samples its engines all at once and frames the samples by shard as the telemetry-collector does. */
final class SimCollector {
    static final int INTERVAL_MILLIS = 50;
    private static final int TICKS_PER_FULL = 20;

    private final String name;
    private final Replicas replicas;
    private final IntPredicate mine;
    private final Map<Integer, Sample> sent = new HashMap<>();
    private final SimLearner learner = new SimLearner();
    private boolean frozen;
    private long tick;

    /** @param mine the numbers that it samples */
    SimCollector(String name, Replicas replicas, IntPredicate mine) {
        this.name = name;
        this.replicas = replicas;
        this.mine = mine;
    }

    String name() {
        return name;
    }

    SimLearner learner() {
        return learner;
    }

    /** From now on its engines' gauges and counters stand still. */
    void freeze() {
        frozen = true;
    }

    /** The frames of one tick, one per shard that has replicas of its. */
    List<TelemetryFrame> sample(long nowNanos) {
        boolean full = tick % TICKS_PER_FULL == 0;
        tick++;
        List<TelemetryFrame> frames = new ArrayList<>();
        for (int shard = 0; shard < Math.min(Shards.COUNT, replicas.size()); shard++) {
            List<Sample> samples = new ArrayList<>();
            var unchanged = new BitSet();
            for (int number = shard; number < replicas.size(); number += Shards.COUNT) {
                if (!mine.test(number) || !replicas.engine(number).scrapable()) continue;
                Sample before = sent.get(number);
                Sample sample = frozen && before != null ? before : sampleOf(number, nowNanos);
                sent.put(number, sample);
                if (!full && before != null && before.sameReading(sample)) unchanged.set(Shards.position(number));
                else samples.add(sample);
            }
            if (samples.isEmpty() && unchanged.isEmpty()) continue;
            var header = new Header(name, 1, tick, Header.NO_EPOCH, nowNanos);
            frames.add(new TelemetryFrame(header, shard, full, unchanged, 0, samples));
        }
        learner.tick(nowNanos);
        return frames;
    }

    private Sample sampleOf(int number, long nowNanos) {
        Engine engine = replicas.engine(number);
        learner.sample(number, engine, nowNanos);
        return new Sample(
                number,
                engine.running(),
                engine.queued(),
                Sample.UNKNOWN,
                engine.heartbeat(),
                learner.capacityMilli(number),
                0,
                INTERVAL_MILLIS,
                0);
    }
}
