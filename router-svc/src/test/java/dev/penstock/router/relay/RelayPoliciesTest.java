package dev.penstock.router.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.retry.RetryBudget;
import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.config.ModelConfig;
import dev.penstock.model.Header;
import dev.penstock.model.PolicyRecord;
import dev.penstock.model.RelayPolicy;
import dev.penstock.model.RetryOn;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RelayPoliciesTest {
    private static final RelayPolicy TOLD =
            new RelayPolicy(5_000, Set.of(RetryOn.RESET), 0.5, 0, 0, List.of(new RelayPolicy.Split("n", 1)), 0, 60_000);

    private final SplittableRandom random = new SplittableRandom(5);
    private final RelayPolicies policies = new RelayPolicies(ModelConfig.readAll(ConfigTree.of("""
        models:
          - {name: m, deadline: 1m, retry: {budget: 20%}, split: {m: 90, n: 7, o: 3}}
          - {name: n}
          - {name: o}
        """)));

    @Test
    void the_configuration_holds_until_a_policy_comes_and_a_policy_until_the_model_is_gone() {
        assertThat(policies.of("m").deadlineMillis()).isEqualTo(60_000);

        policies.apply(policy("m", null, false));
        assertThat(policies.of("m").deadlineMillis()).isEqualTo(60_000);

        policies.apply(policy("m", TOLD, false));
        assertThat(policies.of("m")).isEqualTo(TOLD);

        policies.apply(policy("m", TOLD, true));
        assertThat(policies.of("m")).isEqualTo(RelayPolicy.DEFAULT);
    }

    @Test
    void a_model_that_nobody_listed_has_the_defaults_and_a_budget_of_its_own() {
        assertThat(policies.of("found")).isEqualTo(RelayPolicy.DEFAULT);
        assertThat(policies.target("found", random)).isEqualTo("found");
        assertThat(policies.budget("found")).isSameAs(policies.budget("found")).isNotSameAs(policies.budget("another"));
        assertThat(policies.relay("m")).isSameAs(policies.relay("m"));
    }

    @Test
    void a_budget_outlives_changes_of_its_share() {
        RetryBudget budget = policies.budget("m");
        for (int i = 0; i < 10; i++) budget.request(0);
        assertThat(granted(budget)).isEqualTo(2);

        policies.apply(policy("m", TOLD, false));

        assertThat(policies.budget("m")).isSameAs(budget);
        assertThat(granted(budget)).isEqualTo(3);
    }

    @Test
    void names_that_are_made_up_cost_a_thousand_budgets_at_most() {
        for (int i = 0; i < RelayPolicies.MOST_MODELS; i++) policies.of("made-up-" + i);

        assertThat(policies.budget("one more")).isSameAs(policies.budget("and another"));
        assertThat(policies.of("one more")).isEqualTo(RelayPolicy.DEFAULT);
        policies.apply(policy("listed since", TOLD, false));
        assertThat(policies.of("listed since")).isEqualTo(TOLD);
    }

    @Test
    void requests_are_split_by_weight() {
        Map<String, Integer> targets = new HashMap<>();
        for (int i = 0; i < 10_000; i++) targets.merge(policies.target("m", random), 1, Integer::sum);

        // three standard deviations of 10,000 draws: 90, 77 and 51
        assertThat(targets).containsOnlyKeys("m", "n", "o");
        assertThat(targets.get("m")).isBetween(8_910, 9_090);
        assertThat(targets.get("n")).isBetween(623, 777);
        assertThat(targets.get("o")).isBetween(249, 351);
    }

    @Test
    void a_name_may_be_sent_elsewhere_altogether() {
        policies.apply(policy("m", TOLD, false));

        for (int i = 0; i < 100; i++) assertThat(policies.target("m", random)).isEqualTo("n");
        assertThat(policies.target("n", random)).isEqualTo("n");
    }

    private static int granted(RetryBudget budget) {
        int granted = 0;
        while (budget.tryRetry(0)) granted++;
        return granted;
    }

    private static PolicyRecord policy(String model, @Nullable RelayPolicy relay, boolean gone) {
        return new PolicyRecord(
                new Header("admission", 1, 0, 7, 0),
                model,
                List.of(),
                new PolicyRecord.Strategies("load-balance", null, null, List.of(), null, null, "", null, relay),
                null,
                2,
                List.of(),
                1,
                gone);
    }
}
