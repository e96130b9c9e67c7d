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
        Strategies strategies,
        @Nullable Long milliRpsPerReplica,
        int routableReplicas,
        List<RateShare> shares,
        long version,
        boolean gone) {

    public PolicyRecord {
        aliases = List.copyOf(aliases);
        shares = List.copyOf(shares);
    }

    /** How KV caches and queues count from now on; null = as they do: the writer is older than that. */
    public @Nullable LoadTerms loadTerms() {
        return gone ? LoadTerms.DEFAULT : strategies.loadTerms();
    }

    /** How its requests are relayed from now on; null = as they are: the writer is older than that. */
    public @Nullable RelayPolicy relay() {
        return gone ? RelayPolicy.DEFAULT : strategies.relay();
    }

    /**
     * How its replicas are picked, in texts: a reader that does not know a strategy still reads the rest.
     *
     * @param own what holds for a request that chooses nothing
     * @param k of all of them; null = chosen by density
     * @param epsilonMilli of all of them, in thousandths of a request; null = chosen by density
     * @param client what a request may choose instead, by these very texts
     * @param slowStartMillis how long a new replica is favoured less, 0 = not at all; null = the writer is older than that
     * @param session where requests name their session; null = the writer is older than that
     * @param prefixMode how routers learn which replica holds which prefix: {@code off}, {@code approximate} or
     *     {@code events}; empty = the writer is older than that
     * @param loadTerms how KV caches and queues count; null = the writer is older than that
     * @param relay how its requests are relayed; null = the writer is older than that, or so new that this reader does not
     *     understand it
     */
    public record Strategies(
            String own,
            @Nullable Integer k,
            @Nullable Long epsilonMilli,
            List<String> client,
            @Nullable Long slowStartMillis,
            @Nullable SessionNames session,
            String prefixMode,
            @Nullable LoadTerms loadTerms,
            @Nullable RelayPolicy relay) {
        /** Of a model that is gone. */
        public static final Strategies NONE = new Strategies("", null, null, List.of(), null, null, "", null, null);

        public Strategies {
            client = List.copyOf(client);
        }
    }

    /** A router's part of a model's rate, in thousandths of a request per second. */
    public record RateShare(String router, long milliRps) {}
}
