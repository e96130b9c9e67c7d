package dev.penstock.router.config;

import dev.penstock.kit.config.ConfigSection;
import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.config.ModelConfig;

/** Routers do not take their slots from the ledger yet: a limit that nobody keeps is worse than none. */
public final class UnkeptLimits {
    private static final String KEY = "maxInflightPerReplica";

    private UnkeptLimits() {}

    /** Makes a problem of each model with a limit of its own. */
    public static void refuse(ConfigTree config) {
        for (ConfigSection model : config.list("models")) {
            Integer limit = model.autoOrInteger(KEY, 1, ModelConfig.MOST_IN_FLIGHT);
            if (limit != null) model.problem(KEY, limit.toString(), "auto: routers of this version do not keep limits");
        }
    }
}
