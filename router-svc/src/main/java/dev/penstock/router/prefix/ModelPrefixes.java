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
        String told = policy.strategies().prefixMode();
        PrefixMode mode = policy.gone() ? PrefixMode.APPROXIMATE : PrefixMode.of(told);
        if (told.isEmpty() && !policy.gone() || mode == of(policy.model())) return;
        Map<String, PrefixMode> next = new HashMap<>(modelToMode);
        next.put(policy.model(), mode);
        modelToMode = Map.copyOf(next);
    }
}
