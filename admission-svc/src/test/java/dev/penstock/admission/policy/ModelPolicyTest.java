package dev.penstock.admission.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.config.ModelConfig;
import dev.penstock.model.Header;
import dev.penstock.model.LoadTerms;
import dev.penstock.model.PolicyRecord;
import dev.penstock.model.RelayPolicy;
import dev.penstock.model.SessionNames;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModelPolicyTest {
    @Test
    void says_what_the_configuration_says() {
        assertThat(policy("{name: a/m, aliases: [x], strategy: least-request, requestsPerSecondPerReplica: 2.5}"))
                .isEqualTo(new ModelPolicy("a/m", List.of("x"), strategies("least-request"), 2_500L));
        assertThat(policy("{name: m}")).isEqualTo(new ModelPolicy("m", List.of(), strategies("load-balance"), null));
        assertThat(policy("{name: m, requestsPerSecondPerReplica: 0.001}").milliRpsPerReplica())
                .isEqualTo(1);
    }

    @Test
    void strategies_are_told_with_their_parameters() {
        ModelPolicy policy =
                policy("{name: m, strategy: 'random: 1, least-request: 2', strategyOptions: {k: 3, epsilon: 0.5},"
                        + " clientStrategies: [power-of-two, random], slowStart: 0s}");

        assertThat(policy.strategies())
                .isEqualTo(new PolicyRecord.Strategies(
                        "random:1,least-request:2",
                        3,
                        500L,
                        List.of("power-of-two", "random"),
                        0L,
                        SessionNames.DEFAULT,
                        "approximate",
                        LoadTerms.DEFAULT,
                        RelayPolicy.DEFAULT));
    }

    @Test
    void a_record_that_says_something_else_does_not_hold_it() {
        ModelPolicy policy = policy("{name: m}");

        assertThat(policy.isIn(record(strategies("load-balance")))).isTrue();
        assertThat(policy.isIn(record(strategies("random")))).isFalse();
        // of a writer that did not know of slow start
        assertThat(policy.isIn(record(new PolicyRecord.Strategies(
                        "load-balance",
                        null,
                        null,
                        List.of(),
                        null,
                        SessionNames.DEFAULT,
                        "approximate",
                        LoadTerms.DEFAULT,
                        RelayPolicy.DEFAULT))))
                .isFalse();
        // of a writer that did not know of relays
        assertThat(policy.isIn(record(new PolicyRecord.Strategies(
                        "load-balance",
                        null,
                        null,
                        List.of(),
                        30_000L,
                        SessionNames.DEFAULT,
                        "approximate",
                        LoadTerms.DEFAULT,
                        null))))
                .isFalse();
        for (String other : List.of(
                "strategyOptions: {k: 3}",
                "strategyOptions: {epsilon: 1}",
                "slowStart: 1s",
                "prefix: {mode: events}",
                "strategyOptions: {kvPressureAlpha: 1}",
                "clientStrategies: [random]",
                "session: {headers: []}",
                "deadline: 1m",
                "retry: {on: [reset]}",
                "retry: {budget: 20%}",
                "stream: {idle: 1s}",
                "defaultMaxTokens: 5",
                "split: {m: 1}")) {
            assertThat(policy("{name: m, " + other + "}").isIn(record(strategies("load-balance"))))
                    .isFalse();
        }
    }

    private static PolicyRecord.Strategies strategies(String own) {
        return new PolicyRecord.Strategies(
                own,
                null,
                null,
                List.of(),
                30_000L,
                SessionNames.DEFAULT,
                "approximate",
                LoadTerms.DEFAULT,
                RelayPolicy.DEFAULT);
    }

    private static PolicyRecord record(PolicyRecord.Strategies strategies) {
        return new PolicyRecord(
                new Header("admission", 1, 0, 7, 0), "m", List.of(), strategies, null, 2, List.of(), 3, false);
    }

    private static ModelPolicy policy(String model) {
        return ModelPolicy.of(
                ModelConfig.readAll(ConfigTree.of("models: [" + model + "]")).getFirst());
    }
}
