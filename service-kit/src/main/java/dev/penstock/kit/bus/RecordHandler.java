package dev.penstock.kit.bus;

import dev.penstock.model.TopicSpec;
import org.jspecify.annotations.Nullable;

/** Takes records in the order of their partition. */
@FunctionalInterface
public interface RecordHandler {
    /**
     * One record.
     *
     * @param value null is a tombstone
     * @param receiveNanos when the batch came off the wire, by {@link System#nanoTime()}
     */
    void record(TopicSpec topic, String key, byte @Nullable [] value, long receiveNanos);
}
