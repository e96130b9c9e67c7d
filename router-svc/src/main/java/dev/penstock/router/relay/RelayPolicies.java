package dev.penstock.router.relay;

import dev.penstock.core.retry.RetryBudget;
import dev.penstock.kit.config.ModelConfig;
import dev.penstock.model.PolicyRecord;
import dev.penstock.model.RelayPolicy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/**
 * How each model's requests are relayed. A model that nobody listed has the defaults and a budget of its own, from when it is
 * first asked for; beyond a thousand names, which only a client that makes names up would reach, they share one. The view's
 * writer applies policies, every event loop asks.
 */
public final class RelayPolicies {
    static final int MOST_MODELS = 1_000;

    private final Map<String, ModelRelay> modelToRelay = new ConcurrentHashMap<>();
    private final RetryBudget others = new RetryBudget(RelayPolicy.DEFAULT.retryBudget());

    public RelayPolicies(List<ModelConfig> models) {
        for (ModelConfig model : models) put(model.name(), model.relay());
    }

    /**
     * All there is to know, with one look-up.
     *
     * @param model the engines' name
     */
    public ModelRelay relay(String model) {
        ModelRelay known = modelToRelay.get(model);
        return known == null ? unlisted(model) : known;
    }

    public RelayPolicy of(String model) {
        return relay(model).policy();
    }

    /** The same object for all event loops and for as long as the model is known. */
    public RetryBudget budget(String model) {
        return relay(model).budget();
    }

    /** Which model a request for this one's name goes to: of its split, by weight, or the model itself. */
    public String target(String model, RandomGenerator random) {
        return relay(model).target(random);
    }

    /** A policy takes the place of what the model had; one that says nothing of relays changes nothing. One writer. */
    public void apply(PolicyRecord policy) {
        RelayPolicy told = policy.relay();
        if (policy.gone()) modelToRelay.remove(policy.model());
        else if (told != null) put(policy.model(), told);
    }

    private void put(String model, RelayPolicy policy) {
        modelToRelay.compute(model, (name, before) -> before == null ? fresh(name, policy) : before.with(policy));
    }

    private ModelRelay unlisted(String model) {
        if (modelToRelay.size() >= MOST_MODELS) return new ModelRelay(model, RelayPolicy.DEFAULT, others);
        return modelToRelay.computeIfAbsent(model, name -> fresh(name, RelayPolicy.DEFAULT));
    }

    private static ModelRelay fresh(String model, RelayPolicy policy) {
        return new ModelRelay(model, policy, new RetryBudget(policy.retryBudget()));
    }
}
