package dev.penstock.router.limit;

import dev.penstock.core.rate.Gcra;
import dev.penstock.kit.config.ModelConfig;
import dev.penstock.model.PolicyRecord;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * This router's share of each model's rate. Until admission-svc has said anything it is the configured rate of one replica;
 * from then on what the last policy says, whoever is away. The view's writer applies records, every event loop asks.
 */
public final class RateLimits {
    private final Map<String, Gcra> modelToGate = new ConcurrentHashMap<>();
    private final String router;

    public RateLimits(String router, List<ModelConfig> models, long nowNanos) {
        this.router = router;
        for (ModelConfig model : models) {
            Double rps = model.requestsPerSecondPerReplica();
            if (rps != null) modelToGate.put(model.name(), new Gcra(Math.round(rps * 1000), nowNanos));
        }
    }

    public void apply(PolicyRecord policy, long nowNanos) {
        if (policy.gone() || policy.milliRpsPerReplica() == null) {
            modelToGate.remove(policy.model());
            return;
        }
        long share = share(policy);
        Gcra gate = modelToGate.get(policy.model());
        if (gate == null) modelToGate.put(policy.model(), new Gcra(share, nowNanos));
        else gate.rate(share);
    }

    /** The gate of a model, or null when it has no rate limit. */
    public @Nullable Gcra gate(String model) {
        return modelToGate.get(model);
    }

    private long share(PolicyRecord policy) {
        for (PolicyRecord.RateShare share : policy.shares()) {
            if (share.router().equals(router)) return share.milliRps();
        }
        return 0;
    }
}
