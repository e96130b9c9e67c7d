package dev.penstock.kit.config;

import java.time.Duration;
import java.util.List;

/**
 * Keys of a model that the configuration has and this version does not act on. Their defaults are read and shown; a value
 * that would promise something is refused, because a limit that nobody keeps is worse than none.
 */
final class UnsupportedKeys {
    private static final String LEAVE_OUT = "nothing, or the default: this version does not act on it";

    private static final List<String> GATE_OPTIONS = List.of("imbalanceFactor", "imbalanceMinGap");

    private UnsupportedKeys() {}

    static void check(ConfigSection model) {
        refuseGateOptions(model.section("strategyOptions"));
        ConfigSection queue = model.section("queue");
        refuseUnless(queue, "maxWait", Duration.ofSeconds(5));
        if (queue.bytes("maxBytes", 64L << 20) != 64L << 20) queue.problem("maxBytes", "another size", LEAVE_OUT);
    }

    /** AIBrix's names. */
    private static void refuseGateOptions(ConfigSection options) {
        for (String key : GATE_OPTIONS) {
            String value = options.optionalString(key);
            if (value != null) {
                options.problem(key, value, "nothing: load bounds every affinity by itself, without a gate");
            }
        }
    }

    private static void refuseUnless(ConfigSection section, String key, Duration only) {
        Duration value = section.duration(key, only);
        if (!value.equals(only)) section.problem(key, Units.show(value), LEAVE_OUT);
    }
}
