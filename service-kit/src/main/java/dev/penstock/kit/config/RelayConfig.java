package dev.penstock.kit.config;

import dev.penstock.model.RelayPolicy;
import dev.penstock.model.RetryOn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code deadline}, {@code retry}, {@code stream}, {@code defaultMaxTokens} and {@code split} of a model. */
final class RelayConfig {
    private static final Duration SHORTEST = Duration.ofMillis(RelayPolicy.LEAST_MILLIS);
    private static final Duration LONGEST = Duration.ofMillis(RelayPolicy.MOST_MILLIS);
    private static final String SPAN = "a duration from " + Units.show(SHORTEST) + " to " + Units.show(LONGEST);
    private static final String RETRY_ON =
            Arrays.stream(RetryOn.values()).map(RetryOn::text).collect(Collectors.joining(", "));

    private RelayConfig() {}

    static RelayPolicy read(ConfigSection model) {
        ConfigSection retry = model.section("retry");
        ConfigSection stream = model.section("stream");
        Integer maxTokens = model.optionalInteger("defaultMaxTokens", 1, RelayPolicy.MOST_DEFAULT_MAX_TOKENS);
        return new RelayPolicy(
                millis(model, "deadline"),
                retryOn(retry),
                retry.percent("budget", RelayPolicy.DEFAULT.retryBudget()),
                millis(stream, "commitAfter"),
                maxTokens == null ? 0 : maxTokens,
                split(model),
                millis(stream, "firstByte"),
                idleMillis(stream));
    }

    /**
     * A name may be split among listed models only, itself included. One that is split further is none: a request's model
     * is chosen once.
     *
     * @param sections of the models, in the same order
     */
    static void checkSplits(List<ConfigSection> sections, List<ModelConfig> models) {
        Map<String, ModelConfig> nameToModel = new HashMap<>();
        for (ModelConfig model : models) nameToModel.put(model.name(), model);
        for (int i = 0; i < models.size(); i++) {
            ModelConfig model = models.get(i);
            for (RelayPolicy.Split each : model.relay().split()) {
                if (each.model().equals(model.name())) continue;
                ModelConfig target = nameToModel.get(each.model());
                if (target == null) {
                    sections.get(i).problem("split", each.model(), "the name of a listed model, no alias");
                } else if (!target.relay().split().isEmpty()) {
                    sections.get(i).problem("split", each.model(), "a model without a split of its own");
                }
            }
        }
    }

    private static Set<RetryOn> retryOn(ConfigSection retry) {
        Set<RetryOn> on = EnumSet.noneOf(RetryOn.class);
        for (String text : retry.strings("on", List.of())) {
            RetryOn each = RetryOn.of(text);
            if (each == null) retry.problem("on", text, "any of " + RETRY_ON);
            else if (!on.add(each)) retry.problem("on", text, "each once");
        }
        return on;
    }

    private static List<RelayPolicy.Split> split(ConfigSection model) {
        Map<String, Integer> modelToWeight = model.integers("split", 1, RelayPolicy.Split.MOST_WEIGHT);
        if (modelToWeight.size() > RelayPolicy.MOST_SPLITS) {
            model.problem("split", modelToWeight.size() + " models", "at most " + RelayPolicy.MOST_SPLITS);
            return List.of();
        }
        List<RelayPolicy.Split> split = new ArrayList<>();
        modelToWeight.forEach((name, weight) -> {
            if (name.isBlank()) model.problem("split", name, "the name of a listed model, no alias");
            else split.add(new RelayPolicy.Split(name, weight));
        });
        return split;
    }

    /** 0 when nobody set it. */
    private static long millis(ConfigSection section, String key) {
        Duration value = section.optionalDuration(key);
        return value != null && within(section, key, value, "; null = none") ? value.toMillis() : 0;
    }

    private static long idleMillis(ConfigSection stream) {
        Duration value = stream.duration("idle", Duration.ofMillis(RelayPolicy.DEFAULT.idleMillis()));
        return within(stream, "idle", value, "") ? value.toMillis() : RelayPolicy.DEFAULT.idleMillis();
    }

    private static boolean within(ConfigSection section, String key, Duration value, String or) {
        if (value.compareTo(SHORTEST) >= 0 && value.compareTo(LONGEST) <= 0) return true;
        section.problem(key, Units.show(value), SPAN + or);
        return false;
    }
}
