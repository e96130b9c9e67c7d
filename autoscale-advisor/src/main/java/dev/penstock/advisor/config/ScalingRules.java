package dev.penstock.advisor.config;

import dev.penstock.core.scale.ScalingRule;
import dev.penstock.kit.config.ModelConfig;
import dev.penstock.model.PoolId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which rule a pool is scaled by: that of its model. A model that the configuration lists has a pool even before it has a
 * replica. Written and read on the advisor's context.
 */
public final class ScalingRules {
    private final Map<String, ScalingRule> modelToRule = new HashMap<>();
    private final Map<PoolId, ScalingRule> poolToRule = new HashMap<>();

    public ScalingRules(List<ModelConfig> models) {
        for (ModelConfig model : models) {
            ScalingRule rule = rule(model.scaling());
            modelToRule.put(model.name(), rule);
            model.aliases().forEach(alias -> modelToRule.put(alias, rule));
            poolToRule.putIfAbsent(PoolId.localFor(model.name()), rule);
        }
    }

    /** The roster or a router says which model a pool serves. */
    public void learn(PoolId pool, String model) {
        ScalingRule rule = modelToRule.get(model);
        if (rule != null) poolToRule.put(pool, rule);
    }

    public ScalingRule of(PoolId pool) {
        return poolToRule.getOrDefault(pool, ScalingRule.DEFAULT);
    }

    /** Pools with a rule of their own. */
    public Set<PoolId> pools() {
        return Set.copyOf(poolToRule.keySet());
    }

    private static ScalingRule rule(ModelConfig.ScalingConfig scaling) {
        Integer target = scaling.targetConcurrency();
        return new ScalingRule(
                target == null ? ScalingRule.CONCURRENCY_PRIOR : target,
                scaling.min(),
                scaling.max(),
                scaling.upWindow(),
                scaling.downWindow());
    }
}
