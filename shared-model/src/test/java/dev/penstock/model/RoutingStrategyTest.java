package dev.penstock.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.model.RoutingStrategy.Kind;
import dev.penstock.model.RoutingStrategy.Term;
import org.junit.jupiter.api.Test;

class RoutingStrategyTest {
    @Test
    void a_name_is_one_term() {
        for (Kind kind : Kind.values()) {
            RoutingStrategy strategy = RoutingStrategy.parse(kind.key());

            assertThat(strategy).isEqualTo(new RoutingStrategy(kind));
            assertThat(strategy.terms()).containsExactly(new Term(kind, 1));
            assertThat(strategy.text()).isEqualTo(kind.key());
        }
        assertThat(RoutingStrategy.DEFAULT.text()).isEqualTo("load-balance");
    }

    @Test
    void several_have_weights_and_stay_in_order() {
        RoutingStrategy strategy = RoutingStrategy.parse(" random:0 , least-request : 1000000,load-balance");

        assertThat(strategy.terms())
                .containsExactly(
                        new Term(Kind.RANDOM, 0),
                        new Term(Kind.LEAST_REQUEST, 1_000_000),
                        new Term(Kind.LOAD_BALANCE, 1));
        assertThat(strategy.text()).isEqualTo("random:0,least-request:1000000,load-balance:1");
    }

    @Test
    void the_weight_of_the_only_one_does_not_matter() {
        assertThat(RoutingStrategy.parse("random:7")).isEqualTo(RoutingStrategy.parse("random"));
    }

    @Test
    void parameters_are_no_part_of_the_text() {
        RoutingStrategy strategy = RoutingStrategy.parse("least-request-top-k").with(5, 4.0004);

        assertThat(strategy.text()).isEqualTo("least-request-top-k");
        assertThat(strategy.k()).isEqualTo(5);
        assertThat(strategy.epsilon()).isEqualTo(4.0);
        assertThat(strategy.with(null, null)).isEqualTo(new RoutingStrategy(Kind.LEAST_REQUEST_TOP_K));
    }

    @Test
    void what_is_no_strategy_is_told_with_what_was_expected() {
        refused("fastest", "there is no fastest");
        refused(
                "fastest",
                "one of random, least-request, least-request-top-k, power-of-two, load-balance, prefix-cache,"
                        + " session-affinity, or several");
        refused("Random", "there is no Random");
        refused("", "one of random, ");
        refused("random:1,", "one of random, ");
        refused("random:-1", "a whole number from 0 to 1000000 as the weight of random");
        refused("random:1000001", "a whole number from 0 to 1000000");
        refused("random:99999999999", "a whole number from 0 to 1000000");
        refused("random:1.5", "a whole number from 0 to 1000000");
        refused("random:", "a whole number from 0 to 1000000");
        refused("random:0", "a weight above 0");
        refused("random:0,least-request:0", "a weight above 0");
        refused("random:1,random:2", "each strategy once: random is there twice");
        refused("random,power-of-two", "power-of-two alone");
        refused("random,least-request,least-request-top-k,load-balance,power-of-two", "1 to 4 strategies");
    }

    @Test
    void what_penstock_does_not_have_yet_is_said_so() {
        refused("prefix-cache-preble", "Penstock does not have prefix-cache-preble yet");
        refused("least-latency:2,random:1", "Penstock does not have least-latency yet");
        refused("least-kv-cache", "one of random, least-request, ");
    }

    @Test
    void parameters_have_bounds() {
        assertThatThrownBy(() -> RoutingStrategy.DEFAULT.with(0, null)).hasMessageContaining("k from 1 to 8");
        assertThatThrownBy(() -> RoutingStrategy.DEFAULT.with(9, null)).hasMessageContaining("k from 1 to 8");
        for (double wrong : new double[] {-0.1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> RoutingStrategy.DEFAULT.with(null, wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("epsilon from 0 to 1000000");
        }
    }

    private static void refused(String text, String expected) {
        assertThatThrownBy(() -> RoutingStrategy.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("strategy " + text + ", expected ")
                .hasMessageContaining(expected);
    }
}
