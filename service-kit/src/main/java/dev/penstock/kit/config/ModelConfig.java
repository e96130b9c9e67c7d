package dev.penstock.kit.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the {@code models} part: how a model is served. All services read the same entries.
 *
 * @param aliases further names that clients may send; the engine is sent {@code name}
 * @param requestsPerSecondPerReplica the model's rate limit is this times its routable replicas; null = none
 */
public record ModelConfig(
        String name,
        List<String> aliases,
        Strategy strategy,
        @Nullable Double requestsPerSecondPerReplica,
        ScalingConfig scaling) {

    /** How a replica is picked. {@code load-balance} means least-request until capacity is learned. */
    public enum Strategy {
        LOAD_BALANCE,
        LEAST_REQUEST
    }

    public static ModelConfig ofDefaults(String name) {
        return new ModelConfig(name, List.of(), Strategy.LOAD_BALANCE, null, ScalingConfig.DEFAULT);
    }

    /** Every entry; a name that is missing or given twice is a problem. */
    public static List<ModelConfig> readAll(ConfigTree config) {
        List<ModelConfig> models = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (ConfigSection section : config.list("models")) {
            String name = section.string("name", "");
            if (name.isBlank()) section.problem("name", name, "the name of a model");
            List<String> aliases = section.strings("aliases", List.of());
            if (!names.add(name)) section.problem("name", name, "a name that no other entry or alias has");
            for (String alias : aliases) {
                if (!names.add(alias)) section.problem("aliases", alias, "a name that no other entry or alias has");
            }
            Strategy strategy = section.choice("strategy", Strategy.class, Strategy.LOAD_BALANCE);
            Double rate = section.optionalNumber("requestsPerSecondPerReplica", 0.001, 1_000_000);
            ScalingConfig scaling = ScalingConfig.read(section.section("scaling"));
            UnsupportedKeys.check(section);
            models.add(new ModelConfig(name, aliases, strategy, rate, scaling));
        }
        return List.copyOf(models);
    }

    /** {@code scaling}: what the advisor recommends by. */
    public record ScalingConfig(
            @Nullable Integer targetConcurrency,
            int min,
            @Nullable Integer max,
            Duration upWindow,
            Duration downWindow) {
        static final ScalingConfig DEFAULT = new ScalingConfig(null, 1, null, Duration.ZERO, Duration.ofSeconds(300));

        static ScalingConfig read(ConfigSection section) {
            Integer target = section.autoOrInteger("targetConcurrency", 1, 100_000);
            int min = section.integer("min", DEFAULT.min, 0, 100_000);
            Integer max = section.optionalInteger("max", 1, 100_000);
            if (max != null && max < min) section.problem("max", String.valueOf(max), "at least min, " + min);
            return new ScalingConfig(
                    target,
                    min,
                    max,
                    section.duration("upWindow", DEFAULT.upWindow),
                    section.duration("downWindow", DEFAULT.downWindow));
        }
    }
}
