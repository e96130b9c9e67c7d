package dev.penstock.kit.bus;

import dev.penstock.model.TopicSpec;
import org.jspecify.annotations.Nullable;

/** A {@link RecordHandler} that is told where in its partition each record stands. */
@FunctionalInterface
public interface PositionedHandler {
    /**
     * One record.
     *
     * @param value null is a tombstone
     * @param receiveNanos when the batch came off the wire, by {@link System#nanoTime()}
     */
    void record(TopicSpec topic, String key, byte @Nullable [] value, long offset, long receiveNanos);
}
