package dev.penstock.router.auth;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who a key belongs to.
 *
 * @param label its name in metrics: one of a bounded set
 * @param models that this key of it may use, or null for all
 */
public record Tenant(String name, String label, @Nullable Set<String> models) {
    /** Everybody, where no keys are asked for. */
    public static final Tenant DEFAULT = new Tenant("default", "default", null);

    public boolean allows(String model) {
        return models == null || models.contains(model);
    }

    /** A model's own name on the list allows it by any alias; an alias on the list allows that alias only. */
    public boolean allows(String asked, String model) {
        return allows(asked) || allows(model);
    }
}
