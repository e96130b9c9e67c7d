package dev.penstock.router.ingress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.config.ModelConfig;
import dev.penstock.model.Header;
import dev.penstock.model.PolicyRecord;
import dev.penstock.model.RoutingStrategy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ModelStrategiesTest {
    private static final long SECOND = 1_000_000_000;

    private final List<String> compiled = new ArrayList<>();
    private final ModelStrategies<String> strategies =
            new ModelStrategies<>(ModelConfig.readAll(ConfigTree.of("""
                models:
                  - name: m
                    strategy: least-request-top-k
                    strategyOptions: {k: 3, epsilon: 0.5}
                    clientStrategies: [random, "least-request: 2, random: 1"]
                    slowStart: 10s
                """)), this::compile);

    private String compile(RoutingStrategy strategy) {
        compiled.add(strategy.text());
        return "rule of " + strategy.text();
    }

    @Test
    void without_a_header_the_models_own_holds() {
        ModelStrategies.Choice<String> choice = strategies.of("m", null);

        assertThat(choice.strategy())
                .isEqualTo(RoutingStrategy.parse("least-request-top-k").with(3, 0.5));
        assertThat(choice.slowStartNanos()).isEqualTo(10 * SECOND);
        assertThat(choice.rule()).isEqualTo("rule of least-request-top-k");
    }

    @Test
    void a_header_chooses_what_is_listed_and_nothing_else() {
        assertThat(strategies.of("m", "random").strategy())
                .isEqualTo(RoutingStrategy.parse("random").with(3, 0.5));
        assertThat(strategies.of("m", "least-request:2,random:1").rule()).isEqualTo("rule of least-request:2,random:1");
        for (String ignored :
                List.of("least-request", "Random", " random", "random:1,least-request:2", "", "no such")) {
            assertThat(strategies.of("m", ignored)).isSameAs(strategies.of("m", null));
        }
    }

    @Test
    void nothing_is_made_for_a_request() {
        int before = compiled.size();

        assertThat(strategies.of("m", "random")).isSameAs(strategies.of("m", "random"));
        assertThat(strategies.of("other", "random")).isSameAs(strategies.of("third", null));

        assertThat(compiled).hasSize(before);
    }

    @Test
    void a_model_that_nobody_listed_has_the_defaults() {
        ModelStrategies.Choice<String> choice = strategies.of("other", "random");

        assertThat(choice.strategy()).isEqualTo(RoutingStrategy.DEFAULT);
        assertThat(choice.slowStartNanos()).isEqualTo(30 * SECOND);
    }

    @Test
    void a_policy_takes_the_place_of_the_configuration_until_it_is_gone() {
        strategies.apply(policy("m", "power-of-two", null, null, List.of("load-balance"), 0L));

        assertThat(strategies.of("m", "random").strategy()).isEqualTo(RoutingStrategy.parse("power-of-two"));
        assertThat(strategies.of("m", "load-balance").strategy()).isEqualTo(RoutingStrategy.DEFAULT);
        assertThat(strategies.of("m", null).slowStartNanos()).isZero();

        strategies.apply(
                new PolicyRecord(header(), "m", List.of(), PolicyRecord.Strategies.NONE, null, 0, List.of(), 2, true));

        assertThat(strategies.of("m", null)).isSameAs(strategies.of("other", null));
    }

    @Test
    void a_policy_that_says_what_is_known_changes_no_object() {
        var own = strategies.of("m", null);
        var random = strategies.of("m", "random");
        int before = compiled.size();

        strategies.apply(
                policy("m", "least-request-top-k", 3, 500L, List.of("random", "least-request:2,random:1"), 10_000L));

        assertThat(strategies.of("m", null)).isSameAs(own);
        assertThat(strategies.of("m", "random")).isSameAs(random);
        assertThat(compiled).hasSize(before);
    }

    @Test
    void each_part_of_a_policy_counts() {
        strategies.apply(policy("m", "random", null, null, List.of(), 10_000L));
        List<PolicyRecord> changes = List.of(
                policy("m", "random", 4, null, List.of(), 10_000L),
                policy("m", "random", 4, 250L, List.of(), 10_000L),
                policy("m", "random", 4, 250L, List.of("random"), 10_000L),
                policy("m", "random", 4, 250L, List.of("load-balance"), 10_000L),
                policy("m", "random", 4, 250L, List.of("load-balance"), 5_000L));
        for (PolicyRecord change : changes) {
            var before = strategies.of("m", null);
            strategies.apply(change);
            assertThat(strategies.of("m", null)).isNotSameAs(before);
        }
        assertThat(strategies.of("m", "load-balance").strategy()).isEqualTo(RoutingStrategy.DEFAULT.with(4, 0.25));
        assertThat(strategies.of("m", "load-balance").slowStartNanos()).isEqualTo(5 * SECOND);
    }

    @Test
    void strategies_of_a_newer_version_are_passed_over() {
        strategies.apply(policy("m", "telepathy", null, null, List.of("telepathy", "random"), 7_000L));

        assertThat(strategies.of("m", null).strategy().text()).isEqualTo("least-request-top-k");
        assertThat(strategies.of("m", "telepathy")).isSameAs(strategies.of("m", null));
        assertThat(strategies.of("m", "random").rule()).isEqualTo("rule of random");
        assertThat(strategies.of("m", null).slowStartNanos()).isEqualTo(7 * SECOND);
    }

    @Test
    void an_older_writer_leaves_the_defaults() {
        strategies.apply(policy("m", "least-request", null, null, List.of(), null));

        assertThat(strategies.of("m", null).strategy().text()).isEqualTo("least-request");
        assertThat(strategies.of("m", null).slowStartNanos()).isEqualTo(30 * SECOND);
    }

    private static PolicyRecord policy(
            String model,
            String own,
            @Nullable Integer k,
            @Nullable Long epsilonMilli,
            List<String> client,
            @Nullable Long slowStartMillis) {
        return new PolicyRecord(
                header(),
                model,
                List.of(),
                new PolicyRecord.Strategies(own, k, epsilonMilli, client, slowStartMillis, null, "", null, null),
                null,
                2,
                List.of(),
                1,
                false);
    }

    private static Header header() {
        return new Header("admission", 1, 0, 7, 0);
    }
}
