package dev.penstock.kit.bus;

import io.vertx.core.Future;
import java.time.Duration;

/** A reader of topics, until closed; after that its handler is not called. */
public interface Subscription {
    /** How long {@link #readToEnd} takes at most. */
    Duration END = Duration.ofSeconds(3);

    /**
     * Done when the handler was given all that had been stored when this was called, by the end offsets that the partitions'
     * leaders tell from here on. Fails when that takes longer than {@link #END}: Kafka is away, or there is more to read than that.
     * Completes on the subscriber's context.
     */
    Future<Void> readToEnd();

    Future<Void> close();
}
