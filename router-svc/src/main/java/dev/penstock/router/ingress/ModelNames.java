package dev.penstock.router.ingress;

import dev.penstock.kit.config.ModelConfig;
import dev.penstock.model.PolicyRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What clients may call a model, and what its engines call it. The view's writer changes it, every event loop reads. */
public final class ModelNames {
    private volatile Map<String, String> aliasToModel;

    public ModelNames(List<ModelConfig> models) {
        Map<String, String> aliases = new HashMap<>();
        models.forEach(model -> model.aliases().forEach(alias -> aliases.put(alias, model.name())));
        aliasToModel = Map.copyOf(aliases);
    }

    /** A policy's aliases take the place of what the model had. One writer. */
    public void apply(PolicyRecord policy) {
        Map<String, String> aliases = new HashMap<>(aliasToModel);
        aliases.values().removeIf(policy.model()::equals);
        if (!policy.gone()) policy.aliases().forEach(alias -> aliases.put(alias, policy.model()));
        if (!aliases.equals(aliasToModel)) aliasToModel = Map.copyOf(aliases);
    }

    /** The engines' name for what a client sent. */
    String resolve(String name) {
        String model = aliasToModel.get(name);
        return model == null ? name : model;
    }

    Map<String, String> aliases() {
        return aliasToModel;
    }
}
