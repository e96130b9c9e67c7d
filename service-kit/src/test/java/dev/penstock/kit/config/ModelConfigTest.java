package dev.penstock.kit.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.model.PrefixMode;
import dev.penstock.model.RelayPolicy;
import dev.penstock.model.RetryOn;
import dev.penstock.model.RoutingStrategy;
import dev.penstock.model.SessionNames;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ModelConfigTest {
    @Test
    void an_entry_with_a_name_only_has_the_defaults_of_the_contract() throws ConfigException {
        ConfigTree config = ConfigTree.of("models: [{name: org/m}]");

        List<ModelConfig> models = ModelConfig.readAll(config);

        config.finish();
        assertThat(models).containsExactly(ModelConfig.ofDefaults("org/m"));
        assertThat(config.effective().at("/models/0/slowStart").asText()).isEqualTo("30s");
        assertThat(config.effective().at("/models/0/strategy").asText()).isEqualTo("load-balance");
        assertThat(config.effective().at("/models/0/strategyOptions/k").isNull())
                .isTrue();
        assertThat(config.effective().at("/models/0/prefix/mode").asText()).isEqualTo("approximate");
        assertThat(config.effective().at("/models/0/retry/budget").asText()).isEqualTo("10%");
        assertThat(config.effective().at("/models/0/retry/on")).isEmpty();
        assertThat(config.effective().at("/models/0/deadline").isNull()).isTrue();
        assertThat(config.effective().at("/models/0/split").isNull()).isTrue();
        assertThat(config.effective().at("/models/0/stream").toString())
                .isEqualTo("{\"commitAfter\":null,\"firstByte\":null,\"idle\":\"1m\"}");
        assertThat(config.effective().at("/models/0/maxInflightPerReplica").asText())
                .isEqualTo("auto");
    }

    @Test
    void what_is_set_is_read() throws ConfigException {
        ConfigTree config = ConfigTree.of("""
            models:
              - name: org/m
                aliases: [m, fast]
                strategy: least-request-top-k:2,random:1
                strategyOptions: {k: 5, epsilon: 1.5}
                clientStrategies: [least-request, "random: 1, load-balance: 2"]
                slowStart: 10m
                requestsPerSecondPerReplica: 2.5
                maxInflightPerReplica: 24
                session: {headers: [X-Chat], fields: []}
                scaling: {targetConcurrency: 16, min: 0, max: 8, upWindow: 30s, downWindow: 10m}
                prefix: {mode: events, vocabulary: models/m/tokenizer.json}
            """);

        ModelConfig model = ModelConfig.readAll(config).getFirst();

        config.finish();
        assertThat(model.aliases()).containsExactly("m", "fast");
        assertThat(model.strategy())
                .isEqualTo(
                        RoutingStrategy.parse("least-request-top-k:2,random:1").with(5, 1.5));
        assertThat(model.clientStrategies())
                .containsExactly(
                        RoutingStrategy.parse("least-request").with(5, 1.5),
                        RoutingStrategy.parse("random:1,load-balance:2").with(5, 1.5));
        assertThat(model.slowStart()).isEqualTo(Duration.ofSeconds(600));
        assertThat(model.requestsPerSecondPerReplica()).isEqualTo(2.5);
        assertThat(model.maxInflightPerReplica()).isEqualTo(24);
        assertThat(model.session()).isEqualTo(new SessionNames(List.of("x-chat"), List.of()));
        assertThat(model.scaling())
                .isEqualTo(new ModelConfig.ScalingConfig(16, 0, 8, Duration.ofSeconds(30), Duration.ofMinutes(10)));
        assertThat(model.prefix())
                .isEqualTo(new ModelConfig.PrefixConfig(PrefixMode.EVENTS, "models/m/tokenizer.json"));
    }

    @Test
    void how_requests_are_relayed_is_read() throws ConfigException {
        ConfigTree config = ConfigTree.of("""
            models:
              - name: org/m
                deadline: 2m
                retry: {on: [500, reset, 502, 504], budget: 12.5%}
                stream: {commitAfter: 10s, firstByte: 45s, idle: 100ms}
                defaultMaxTokens: 512
                split: {org/m: 95, "org/canary.2": 5}
              - {name: org/canary.2, deadline: 24h, retry: {budget: 0%}}
            """);

        List<ModelConfig> models = ModelConfig.readAll(config);

        config.finish();
        assertThat(models.get(0).relay())
                .isEqualTo(new RelayPolicy(
                        120_000,
                        Set.of(RetryOn.values()),
                        0.125,
                        10_000,
                        512,
                        List.of(new RelayPolicy.Split("org/m", 95), new RelayPolicy.Split("org/canary.2", 5)),
                        45_000,
                        100));
        assertThat(models.get(1).relay())
                .isEqualTo(new RelayPolicy(86_400_000, Set.of(), 0, 0, 0, List.of(), 0, 60_000));
        assertThat(config.effective().at("/models/0/split").toString()).isEqualTo("{\"org/m\":95,\"org/canary.2\":5}");
    }

    @Test
    void every_problem_of_relays_is_in_one_report() {
        ConfigTree config = ConfigTree.of("""
            models:
              - name: a
                deadline: 99ms
                retry: {on: [503, reset, reset], budget: 101%, surprise: 1}
                stream: {commitAfter: 0s, firstByte: 25h, idle: soon, surprise: 1}
                defaultMaxTokens: 0
                split: {b: 0, c: 1001, a: many, d: 1, short: 1, e: 2}
              - {name: b, aliases: [short], split: [a]}
              - {name: e, split: {e: 1, b: 1}}
            """);
        ModelConfig.readAll(config);

        ConfigException wrong = catchThrowableOfType(ConfigException.class, config::finish);

        String time = "expected a duration from 100ms to 24h; null = none";
        assertThat(wrong.problems())
                .extracting(Problem::toString)
                .contains(
                        "models[0].deadline: 99ms, " + time,
                        "models[0].retry.on: 503, expected any of 500, 502, 504, reset",
                        "models[0].retry.on: reset, expected each once",
                        "models[0].retry.budget: 101%, expected a share from 0% to 100%, like 50%",
                        "models[0].stream.commitAfter: 0s, " + time,
                        "models[0].stream.firstByte: 25h, " + time,
                        "models[0].stream.idle: soon, expected a duration like 50ms, 1s, 5m or 2h",
                        "models[0].defaultMaxTokens: 0, expected a whole number from 1 to 10000000",
                        "models[0].split.b: 0, expected a whole number from 1 to 1000",
                        "models[0].split.c: 1001, expected a whole number from 1 to 1000",
                        "models[0].split.a: many, expected a whole number from 1 to 1000",
                        "models[0].split: d, expected the name of a listed model, no alias",
                        "models[0].split: short, expected the name of a listed model, no alias",
                        "models[0].split: e, expected a model without a split of its own",
                        "models[1].split: a list, expected a section of names, each with a whole number from 1 to"
                                + " 1000");
        assertThat(wrong.problems())
                .extracting(Problem::path)
                .containsOnlyOnce("models[0].retry.surprise", "models[0].stream.surprise");
        assertThat(wrong.problems()).hasSize(17);
    }

    @Test
    void a_name_is_split_among_sixteen_models_at_most() {
        StringBuilder text = new StringBuilder("models: [{name: a, split: {a: 1");
        for (int i = 0; i < 16; i++) text.append(", m").append(i).append(": 1");
        ConfigTree config = ConfigTree.of(text.append("}}]").toString());
        ModelConfig.readAll(config);

        assertThat(catchThrowableOfType(ConfigException.class, config::finish).problems())
                .extracting(Problem::toString)
                .containsExactly("models[0].split: 17 models, expected at most 16");
    }

    @Test
    void every_problem_of_strategies_is_in_one_report() {
        ConfigTree config = ConfigTree.of("""
            models:
              - name: a
                strategy: prefix-cache-preble
                strategyOptions: {k: 9, epsilon: -1, queuedWeight: -1, kvPressureAlpha: 2.0, kvCriticalFree: 1.1,
                                  imbalanceFactor: 2, imbalanceMinGap: 8, surprise: 1}
                clientStrategies: [fastest, slowest, random, "random:3", "random:1,power-of-two:1"]
                slowStart: 601s
            """);
        ModelConfig.readAll(config);

        ConfigException wrong = catchThrowableOfType(ConfigException.class, config::finish);

        assertThat(wrong.problems())
                .extracting(Problem::toString)
                .contains(
                        "models[0].strategy: prefix-cache-preble, expected one of random, least-request,"
                                + " least-request-top-k, power-of-two, load-balance, prefix-cache, session-affinity:"
                                + " Penstock does not have prefix-cache-preble yet",
                        "models[0].strategyOptions.k: 9, expected a whole number from 1 to 8",
                        "models[0].strategyOptions.epsilon: -1, expected a number from 0 to 1000000",
                        "models[0].clientStrategies: random:3, expected each strategy once",
                        "models[0].clientStrategies: random:1,power-of-two:1, expected power-of-two alone: it draws two"
                                + " candidates of its own",
                        "models[0].slowStart: 601s, expected at most 600s; 0s = off",
                        "models[0].strategyOptions.queuedWeight: -1, expected a number from 0 to 16",
                        "models[0].strategyOptions.kvCriticalFree: 1.1, expected a number from 0 to 1",
                        "models[0].strategyOptions.imbalanceFactor: 2, expected nothing: load bounds every affinity by"
                                + " itself, without a gate");
        assertThat(wrong.problems())
                .extracting(Problem::path)
                .containsOnlyOnce("models[0].strategyOptions.surprise", "models[0].strategyOptions.imbalanceMinGap");
        assertThat(wrong.problems()).hasSize(13);
    }

    @Test
    void every_problem_of_sessions_is_in_one_report() {
        ConfigTree config = ConfigTree.of("""
            models:
              - {name: a, session: {headers: ["x y", Authorization, x-a, x-a], fields: [model, ""]}}
              - {name: b, session: {headers: [h1, h2, h3, h4, h5, h6, h7, h8, h9], surprise: 1}}
            """);
        ModelConfig.readAll(config);

        ConfigException wrong = catchThrowableOfType(ConfigException.class, config::finish);

        String header = "expected the name of a header, of up to 128 characters, that is not one of a connection's or a"
                + " secret";
        String field =
                "expected the name of a field at the top of the body, of up to 128 characters, other than model and"
                        + " stream";
        assertThat(wrong.problems())
                .extracting(Problem::toString)
                .contains(
                        "models[0].session.headers: x y, " + header,
                        "models[0].session.headers: Authorization, " + header,
                        "models[0].session.headers: x-a, expected each name once",
                        "models[0].session.fields: model, " + field,
                        "models[0].session.fields: , " + field,
                        "models[1].session.headers: 9 names, expected at most 8");
        assertThat(wrong.problems()).hasSize(7);
    }

    @Test
    void a_promise_that_is_not_kept_is_refused_and_wrong_values_are_named() {
        ConfigTree config = ConfigTree.of("""
            models:
              - {name: a, aliases: [b], maxInflightPerReplica: 0, strategy: fastest}
              - {name: b, requestsPerSecondPerReplica: -1, scaling: {min: 5, max: 2}, prefix: {mode: magic}}
              - {aliases: [c], retry: {on: [503], budget: lots}, surprise: 1}
            """);
        ModelConfig.readAll(config);

        ConfigException wrong = catchThrowableOfType(ConfigException.class, config::finish);

        assertThat(wrong.problems())
                .extracting(Problem::path)
                .contains(
                        "models[0].maxInflightPerReplica",
                        "models[0].strategy",
                        "models[1].name",
                        "models[1].requestsPerSecondPerReplica",
                        "models[1].scaling.max",
                        "models[1].prefix.mode",
                        "models[2].name",
                        "models[2].retry.on",
                        "models[2].retry.budget",
                        "models[2].surprise");
    }
}
