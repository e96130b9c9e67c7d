package dev.penstock.fleetsim;

import dev.penstock.model.Header;
import dev.penstock.model.Sample;
import dev.penstock.model.Shards;
import dev.penstock.model.TelemetryFrame;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Samples every engine at once and frames the samples by shard as the telemetry-collector does. */
final class SimCollector {
    static final int INTERVAL_MILLIS = 50;
    private static final int TICKS_PER_FULL = 20;

    private final List<Engine> engines;
    private final @Nullable Sample[] sent;
    private long tick;

    SimCollector(List<Engine> engines) {
        this.engines = engines;
        this.sent = new Sample[engines.size()];
    }

    /** The frames of one tick, one per shard that has replicas. */
    List<TelemetryFrame> sample(long nowNanos) {
        boolean full = tick % TICKS_PER_FULL == 0;
        tick++;
        List<TelemetryFrame> frames = new ArrayList<>();
        for (int shard = 0; shard < Math.min(Shards.COUNT, engines.size()); shard++) {
            List<Sample> samples = new ArrayList<>();
            var unchanged = new BitSet();
            for (int number = shard; number < engines.size(); number += Shards.COUNT) {
                Sample sample = sampleOf(number);
                Sample before = sent[number];
                sent[number] = sample;
                if (!full && before != null && before.sameReading(sample)) unchanged.set(Shards.position(number));
                else samples.add(sample);
            }
            var header = new Header("collector-0", 1, tick, Header.NO_EPOCH, nowNanos);
            frames.add(new TelemetryFrame(header, shard, full, unchanged, 0, samples));
        }
        return frames;
    }

    private Sample sampleOf(int number) {
        Engine engine = engines.get(number);
        return new Sample(
                number,
                engine.running(),
                engine.queued(),
                Sample.UNKNOWN,
                engine.heartbeat(),
                0,
                0,
                INTERVAL_MILLIS,
                0);
    }
}
