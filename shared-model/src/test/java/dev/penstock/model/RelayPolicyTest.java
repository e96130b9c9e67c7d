package dev.penstock.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RelayPolicyTest {
    @Test
    void by_default_nothing_is_limited_but_silence_and_retries() {
        assertThat(RelayPolicy.DEFAULT).isEqualTo(new RelayPolicy(0, Set.of(), 0.1, 0, 0, List.of(), 0, 60_000));
    }

    @Test
    void a_status_is_retried_where_it_is_listed() {
        RelayPolicy policy =
                new RelayPolicy(0, Set.of(RetryOn.STATUS_502, RetryOn.RESET), 0.1, 0, 0, List.of(), 0, 60_000);

        assertThat(policy.retriesStatus(502)).isTrue();
        assertThat(policy.retriesStatus(500)).isFalse();
        assertThat(policy.retriesStatus(503)).isFalse();
        assertThat(RelayPolicy.DEFAULT.retriesStatus(504)).isFalse();
    }

    @Test
    void texts_are_those_of_the_configuration_both_ways() {
        assertThat(RetryOn.values()).extracting(RetryOn::text).containsExactly("500", "502", "504", "reset");
        for (RetryOn each : RetryOn.values())
            assertThat(RetryOn.of(each.text())).isEqualTo(each);
        assertThat(RetryOn.of("503")).isNull();
    }

    @Test
    void values_beyond_their_bounds_are_named() {
        refused("deadlineMillis: 99, expected 0, or 100 to 86400000", 99, 0.1, 0, 60_000);
        refused("deadlineMillis: -1", -1, 0.1, 0, 60_000);
        refused("retryBudget: 1.01, expected 0 to 1", 0, 1.01, 0, 60_000);
        refused("retryBudget: NaN", 0, Double.NaN, 0, 60_000);
        refused("defaultMaxTokens: -1, expected 0 to 10000000", 0, 0.1, -1, 60_000);
        refused("idleMillis: 0, expected 100 to 86400000", 0, 0.1, 0, 0);
        assertThatThrownBy(() -> new RelayPolicy.Split("m", 1_001)).hasMessage("weight: 1001, expected 1 to 1000");
        assertThatThrownBy(() -> new RelayPolicy.Split(" ", 1)).hasMessageStartingWith("split: ");
        RelayPolicy.Split split = new RelayPolicy.Split("m", 1);
        assertThatThrownBy(() -> new RelayPolicy(0, Set.of(), 0.1, 0, 0, List.of(split, split), 0, 60_000))
                .hasMessage("split: m, expected each model once");
        List<RelayPolicy.Split> many = new ArrayList<>();
        for (int i = 0; i < 17; i++) many.add(new RelayPolicy.Split("m" + i, 1));
        assertThatThrownBy(() -> new RelayPolicy(0, Set.of(), 0.1, 0, 0, many, 0, 60_000))
                .hasMessage("split: 17 models, expected at most 16");
    }

    private static void refused(String message, long deadline, double budget, int maxTokens, long idle) {
        assertThatThrownBy(() -> new RelayPolicy(deadline, Set.of(), budget, 0, maxTokens, List.of(), 0, idle))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }
}
