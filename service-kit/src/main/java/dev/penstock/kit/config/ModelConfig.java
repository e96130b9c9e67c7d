package dev.penstock.kit.config;

import dev.penstock.model.LoadTerms;
import dev.penstock.model.PrefixMode;
import dev.penstock.model.RelayPolicy;
import dev.penstock.model.RoutingStrategy;
import dev.penstock.model.SessionNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the {@code models} part: how a model is served. All services read the same entries.
 *
 * @param aliases further names that clients may send; the engine is sent {@code name}
 * @param strategy how a replica is picked, with its parameters. {@code load-balance} means least-request until capacity is
 *     learned
 * @param clientStrategies what the request header {@code routing-strategy} may choose instead, with the same parameters
 * @param slowStart how long a new replica is favoured less; zero = not at all
 * @param requestsPerSecondPerReplica the model's rate limit is this times its routable replicas; null = none
 * @param maxInflightPerReplica requests in flight at each of its replicas, all routers together; null = auto
 * @param session where requests name their session
 * @param relay how requests are relayed
 */
public record ModelConfig(
        String name,
        List<String> aliases,
        RoutingStrategy strategy,
        List<RoutingStrategy> clientStrategies,
        Duration slowStart,
        @Nullable Double requestsPerSecondPerReplica,
        @Nullable Integer maxInflightPerReplica,
        ScalingConfig scaling,
        SessionNames session,
        PrefixConfig prefix,
        LoadTerms loadTerms,
        RelayPolicy relay) {

    public static final Duration DEFAULT_SLOW_START = Duration.ofSeconds(30);
    /** As many as a replica's slots are counted up to. */
    public static final int MOST_IN_FLIGHT = 65_534;

    private static final Duration LONGEST_SLOW_START = Duration.ofSeconds(600);

    public static ModelConfig ofDefaults(String name) {
        return new ModelConfig(
                name,
                List.of(),
                RoutingStrategy.DEFAULT,
                List.of(),
                DEFAULT_SLOW_START,
                null,
                null,
                ScalingConfig.DEFAULT,
                SessionNames.DEFAULT,
                PrefixConfig.DEFAULT,
                LoadTerms.DEFAULT,
                RelayPolicy.DEFAULT);
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
            Strategies strategies = Strategies.read(section);
            Double rate = section.optionalNumber("requestsPerSecondPerReplica", 0.001, 1_000_000);
            Integer maxInflight = section.autoOrInteger("maxInflightPerReplica", 1, MOST_IN_FLIGHT);
            ScalingConfig scaling = ScalingConfig.read(section.section("scaling"));
            SessionNames session = SessionConfig.read(section.section("session"));
            PrefixConfig prefix = PrefixConfig.read(section.section("prefix"));
            LoadTerms loadTerms = loadTerms(section.section("strategyOptions"));
            RelayPolicy relay = RelayConfig.read(section);
            UnsupportedKeys.check(section);
            models.add(new ModelConfig(
                    name,
                    aliases,
                    strategies.own(),
                    strategies.client(),
                    slowStart(section),
                    rate,
                    maxInflight,
                    scaling,
                    session,
                    prefix,
                    loadTerms,
                    relay));
        }
        RelayConfig.checkSplits(config.list("models"), models);
        return List.copyOf(models);
    }

    private static LoadTerms loadTerms(ConfigSection options) {
        Double queued = options.optionalNumber("queuedWeight", 0, LoadTerms.MOST_QUEUED_WEIGHT);
        Double alpha = options.optionalNumber("kvPressureAlpha", 0, LoadTerms.MOST_KV_PRESSURE_ALPHA);
        Double critical = options.optionalNumber("kvCriticalFree", 0, 1);
        return new LoadTerms(
                queued == null ? LoadTerms.DEFAULT.queuedWeight() : queued,
                alpha == null ? LoadTerms.DEFAULT.kvPressureAlpha() : alpha,
                critical == null ? LoadTerms.DEFAULT.kvCriticalFree() : critical);
    }

    private static Duration slowStart(ConfigSection section) {
        Duration value = section.duration("slowStart", DEFAULT_SLOW_START);
        if (value.compareTo(LONGEST_SLOW_START) <= 0) return value;
        section.problem("slowStart", Units.show(value), "at most 600s; 0s = off");
        return DEFAULT_SLOW_START;
    }

    /** {@code strategy}, {@code strategyOptions} and {@code clientStrategies}. */
    private record Strategies(RoutingStrategy own, List<RoutingStrategy> client) {
        static Strategies read(ConfigSection section) {
            RoutingStrategy own =
                    parse(section, "strategy", section.string("strategy", RoutingStrategy.DEFAULT.text()));
            ConfigSection options = section.section("strategyOptions");
            Integer k = options.optionalInteger("k", 1, RoutingStrategy.MOST_K);
            Double epsilon = options.optionalNumber("epsilon", 0, RoutingStrategy.MOST_EPSILON);
            Set<RoutingStrategy> client = new LinkedHashSet<>();
            for (String text : section.strings("clientStrategies", List.of())) {
                RoutingStrategy each = parse(section, "clientStrategies", text);
                if (each != null && !client.add(each.with(k, epsilon))) {
                    section.problem("clientStrategies", text, "each strategy once");
                }
            }
            return new Strategies((own == null ? RoutingStrategy.DEFAULT : own).with(k, epsilon), List.copyOf(client));
        }

        private static @Nullable RoutingStrategy parse(ConfigSection section, String key, String text) {
            try {
                return RoutingStrategy.parse(text);
            } catch (RoutingStrategy.InvalidException e) {
                section.problem(key, text, e.expected());
                return null;
            }
        }
    }

    /**
     * {@code prefix}: how it is learned which replica has which prompt prefix cached.
     *
     * @param vocabulary with mode events, what the engines' tokens stand for: {@code bytes4} (simulated engines) or the path of
     *     a Hugging Face {@code tokenizer.json}
     */
    public record PrefixConfig(PrefixMode mode, String vocabulary) {
        public static final String BYTES4 = "bytes4";
        static final PrefixConfig DEFAULT = new PrefixConfig(PrefixMode.APPROXIMATE, BYTES4);

        static PrefixConfig read(ConfigSection section) {
            PrefixMode mode = section.choice("mode", PrefixMode.class, DEFAULT.mode);
            String vocabulary = section.string("vocabulary", DEFAULT.vocabulary);
            if (vocabulary.isBlank()) {
                section.problem("vocabulary", vocabulary, "bytes4 or the path of a tokenizer.json");
            }
            return new PrefixConfig(mode, vocabulary);
        }
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
