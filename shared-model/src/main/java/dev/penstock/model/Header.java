package dev.penstock.model;

/**
 * What every record carries, so that a reader can tell loss, duplicates and restarts apart.
 *
 * @param producer service instance, e.g. {@code router-0}
 * @param incarnation nonce drawn at process start: a restarted producer is another one
 * @param sequence rises by one per record of a stream (a topic, and within telemetry a shard)
 * @param epoch of the writer's claim, or {@link #NO_EPOCH} where the role has no single writer
 * @param sendNanos the producer's monotonic clock; comparable within one incarnation only
 */
public record Header(String producer, long incarnation, long sequence, long epoch, long sendNanos) {
    public static final long NO_EPOCH = -1;
}
