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

    private static final Belief NONE = new Belief(Long.MIN_VALUE / 2, 0, true);

    private final Map<Integer, Long> numberToYoungest = new HashMap<>();
    private final Map<Integer, Belief> numberToBelief = new HashMap<>();
    private final Map<Stream, Long> streamToLeastDelay = new HashMap<>();

    private record Stream(String producer, long incarnation, int shard) {}

    /**
     * What a view took from a frame.
     *
     * @param unknowableNanos least delay of its stream until then
     * @param first of its stream: nothing is known of its delay
     */
    record Belief(long sampledAt, long unknowableNanos, boolean first) {
        boolean exact() {
            return unknowableNanos == 0 && !first;
        }
    }

    /** Returns what the frame tells, by replica. */
    Map<Integer, Belief> arrived(TelemetryFrame frame, long sent, long at) {
        Stream stream = new Stream(frame.header().producer(), frame.header().incarnation(), frame.shard());
        boolean first = !streamToLeastDelay.containsKey(stream);
        long unknowable = streamToLeastDelay.merge(stream, at - sent, Math::min);
        Map<Integer, Belief> told = new HashMap<>();
        for (Sample sample : frame.samples()) {
            told.put(sample.number(), new Belief(sent - sample.ageMicros() * 1000, unknowable, first));
        }
        Belief unchanged = new Belief(sent - frame.unchangedAgeMicros() * 1000, unknowable, first);
        frame.sampledUnchanged().stream()
                .forEach(position -> told.put(Shards.number(frame.shard(), position), unchanged));
        told.forEach((number, belief) -> numberToYoungest.merge(number, belief.sampledAt(), Math::max));
        return told;
    }

    Belief belief(SourceFleet.Engine engine) {
        return numberToBelief.getOrDefault(engine.number, NONE);
    }

    void believed(SourceFleet.Engine engine, Belief belief) {
        numberToBelief.put(engine.number, belief);
    }

    /** No sample of before this time may be FRESH. */
    long freshFrom(SourceFleet.Engine engine, long at) {
        return at - engine.freshForNanos() - belief(engine).unknowableNanos() - drift(at);
    }

    boolean anySince(SourceFleet.Engine engine, long time) {
        return numberToYoungest.getOrDefault(engine.number, NONE.sampledAt()) >= time;
    }

    static long drift(long nanos) {
        return (long) (DRIFT * nanos);
    }
}
