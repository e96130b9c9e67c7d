package dev.penstock.router.prefix;

import dev.penstock.kit.config.ModelConfig;
import dev.penstock.model.PolicyRecord;
import dev.penstock.model.PrefixMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How prefixes of each model's prompts are known. One writer; any thread asks. */
public final class ModelPrefixes {
    private volatile Map<String, PrefixMode> modelToMode;

    public ModelPrefixes(List<ModelConfig> models) {
        Map<String, PrefixMode> modes = new HashMap<>();
        for (ModelConfig model : models) modes.put(model.name(), model.prefix().mode());
        modelToMode = Map.copyOf(modes);
    }

    public PrefixMode of(String model) {
        return modelToMode.getOrDefault(model, PrefixMode.APPROXIMATE);
    }

    /** A policy's mode takes the place of what the model had; an older writer's, which does not know of modes, changes nothing. */
    public void apply(PolicyRecord policy) {
        Map<String, PrefixMode> next = new HashMap<>(modelToMode);
        String told = policy.strategies().prefixMode();
        if (policy.gone()) next.remove(policy.model());
        else if (!told.isEmpty()) next.put(policy.model(), PrefixMode.of(told));
        if (next.equals(modelToMode)) return;
        modelToMode = Map.copyOf(next);
    }
}
