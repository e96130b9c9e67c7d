package dev.penstock.router.session;

import dev.penstock.kit.config.ModelConfig;
import dev.penstock.model.PolicyRecord;
import dev.penstock.model.SessionNames;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Where each model's requests name their session. The view's writer applies policies, every event loop asks. */
public final class ModelSessions {
    private volatile Map<String, SessionNames> modelToNames;
    private volatile Set<String> fields;

    public ModelSessions(List<ModelConfig> models) {
        Map<String, SessionNames> names = new HashMap<>();
        for (ModelConfig model : models) names.put(model.name(), model.session());
        modelToNames = Map.copyOf(names);
        fields = fieldsOf(names);
    }

    private static Set<String> fieldsOf(Map<String, SessionNames> modelToNames) {
        Set<String> all = new HashSet<>(SessionNames.DEFAULT.fields());
        modelToNames.values().forEach(each -> all.addAll(each.fields()));
        return Set.copyOf(all);
    }

    /** All fields of bodies that may name a session, whatever the model. */
    public Set<String> fields() {
        return fields;
    }

    /** @param model the engines' name; one that nobody listed has the defaults */
    public SessionNames of(String model) {
        return modelToNames.getOrDefault(model, SessionNames.DEFAULT);
    }

    /** A policy of an older writer, which does not know of sessions, changes nothing. One writer. */
    public void apply(PolicyRecord policy) {
        Map<String, SessionNames> next = new HashMap<>(modelToNames);
        SessionNames told = policy.strategies().session();
        if (policy.gone()) next.remove(policy.model());
        else if (told != null) next.put(policy.model(), told);
        if (next.equals(modelToNames)) return;
        modelToNames = Map.copyOf(next);
        fields = fieldsOf(next);
    }
}
