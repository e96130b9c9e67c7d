package dev.penstock.kit.metrics;

/** Names and labels of the metrics: {@code penstock_<service>_<thing>_<unit>}, counters end in {@code _total}. */
public final class MetricNames {
    /** Records given up: late, refused, or too many unsent. Label: topic. */
    public static final String BUS_DROPPED = "penstock_bus_dropped_total";

    /** 1 while Kafka answers. */
    public static final String BUS_CONNECTED = "penstock_bus_connected";

    public static final String TOPIC_LABEL = "topic";

    private MetricNames() {}
}
