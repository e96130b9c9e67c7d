package dev.penstock.core.view;

import dev.penstock.model.Sample;
import dev.penstock.model.Shards;
import dev.penstock.model.TelemetryFrame;
import java.util.HashMap;
import java.util.Map;

/**
 * What a view could know: how old the youngest sample that arrived is, up to the least delay that its stream has shown so far,
 * because two hosts' clocks are never compared.
 */
final class DeliveredSamples {
    /** TransitExcess forgives so much drift of the clocks. */
    private static final double DRIFT = 200e-6;

    private final Map<Integer, Long> numberToYoungest = new HashMap<>();
    private final Map<Integer, Long> numberToUnknowable = new HashMap<>();
    private final Map<Stream, Long> streamToLeastDelay = new HashMap<>();

    private record Stream(String producer, long incarnation, int shard) {}

    void arrived(TelemetryFrame frame, long sent, long at) {
        streamToLeastDelay.merge(stream(frame), at - sent, Math::min);
        for (Sample sample : frame.samples()) youngest(sample.number(), sent - sample.ageMicros() * 1000);
        frame.sampledUnchanged().stream()
                .forEach(position ->
                        youngest(Shards.number(frame.shard(), position), sent - frame.unchangedAgeMicros() * 1000));
    }

    private void youngest(int number, long sampledAt) {
        numberToYoungest.merge(number, sampledAt, Math::max);
    }

    /** The view took this frame's word on the replica. */
    void believed(int number, TelemetryFrame frame) {
        numberToUnknowable.put(number, streamToLeastDelay.getOrDefault(stream(frame), 0L));
    }

    /** No sample of before this time may be FRESH. */
    long freshFrom(SourceFleet.Engine engine, long at) {
        return at - engine.freshForNanos() - numberToUnknowable.getOrDefault(engine.number, 0L) - (long) (DRIFT * at);
    }

    boolean anySince(SourceFleet.Engine engine, long time) {
        return numberToYoungest.getOrDefault(engine.number, Long.MIN_VALUE / 2) >= time;
    }

    private static Stream stream(TelemetryFrame frame) {
        return new Stream(frame.header().producer(), frame.header().incarnation(), frame.shard());
    }
}
