package dev.penstock.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a model is served, as admission-svc publishes it.
 *
 * @param milliRpsPerReplica null = no rate limit; otherwise the model's limit is this times the routable replicas
 * @param shares of the limit by router name; a router that is not listed has none yet
 * @param version rises with each change of the configuration
 * @param gone the model is no longer in the configuration: its defaults apply
 */
public record PolicyRecord(
        Header header,
        String model,
        List<String> aliases,
        String strategy,
        @Nullable Long milliRpsPerReplica,
        int routableReplicas,
        List<RateShare> shares,
        long version,
        boolean gone) {

    public PolicyRecord {
        aliases = List.copyOf(aliases);
        shares = List.copyOf(shares);
    }

    /** A router's part of a model's rate, in thousandths of a request per second. */
    public record RateShare(String router, long milliRps) {}
}
