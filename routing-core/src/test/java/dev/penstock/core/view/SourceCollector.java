package dev.penstock.core.view;

import static dev.penstock.core.view.SourceFleet.MS;

import dev.penstock.model.Header;
import dev.penstock.model.Sample;
import dev.penstock.model.Shards;
import dev.penstock.model.TelemetryFrame;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One incarnation of a collector, which frames as the telemetry-collector's FrameBuilder does: what changed and what was
 * sampled again unchanged each 50 ms, nothing if there is neither, everything each second, the shards one after another.
 */
final class SourceCollector {
    static final long TICK = 50 * MS;
    static final long FULL = 1_000 * MS;

    private final SourceFleet fleet;
    private final String name;
    private final long incarnation;
    private final Map<Integer, Reading> book = new HashMap<>();
    private final Map<Integer, Shard> shards = new HashMap<>();

    private record Reading(int version, long sampledAt) {}

    private static final class Shard {
        final Map<Integer, Reading> sent = new HashMap<>();
        long sequence;
        long fullDue;
    }

    SourceCollector(SourceFleet fleet, String name, long incarnation, long now) {
        this.fleet = fleet;
        this.name = name;
        this.incarnation = incarnation;
        for (SourceFleet.Engine engine : fleet.engines) {
            int index = Shards.of(engine.number);
            shards.computeIfAbsent(index, i -> new Shard()).fullDue = now + index * (FULL / Shards.COUNT);
        }
    }

    /** Called each 50 ms. */
    List<TelemetryFrame> tick(long now) {
        for (SourceFleet.Engine engine : fleet.engines) scrape(engine, now);
        List<TelemetryFrame> frames = new ArrayList<>();
        shards.forEach((index, shard) -> frame(index, shard, now, frames));
        return frames;
    }

    private void scrape(SourceFleet.Engine engine, long now) {
        long ticksPerSample = engine.intervalMillis * MS / TICK;
        boolean due =
                !book.containsKey(engine.number) || (now / TICK + engine.number + incarnation) % ticksPerSample == 0;
        if (!due || engine.mute) return;
        long at = now - (engine.number + incarnation) % 7 * MS;
        book.put(engine.number, new Reading(engine.sampleAt(at), at));
    }

    private void frame(int index, Shard shard, long now, List<TelemetryFrame> frames) {
        boolean full = now - shard.fullDue >= 0;
        if (full) shard.fullDue += FULL;
        List<Sample> samples = new ArrayList<>();
        BitSet unchanged = new BitSet();
        long oldest = 0;
        for (SourceFleet.Engine engine : fleet.engines) {
            Reading reading = book.get(engine.number);
            if (Shards.of(engine.number) != index || reading == null) continue;
            Reading before = shard.sent.put(engine.number, reading);
            if (full || before == null || before.version() != reading.version()) {
                samples.add(SourceFleet.sample(engine, reading.version(), now - reading.sampledAt()));
            } else if (before.sampledAt() != reading.sampledAt()) {
                unchanged.set(Shards.position(engine.number));
                oldest = Math.max(oldest, now - reading.sampledAt());
            }
        }
        if (!full && samples.isEmpty() && unchanged.isEmpty()) return;
        Header header = new Header(
                name, incarnation, shard.sequence++, Header.NO_EPOCH, now + FaultyLink.clockOffset(incarnation));
        frames.add(new TelemetryFrame(header, index, full, unchanged, oldest / 1000, samples));
    }
}
