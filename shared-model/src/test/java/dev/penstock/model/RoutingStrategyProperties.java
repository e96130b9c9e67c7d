package dev.penstock.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.model.RoutingStrategy.Kind;
import dev.penstock.model.RoutingStrategy.Term;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class RoutingStrategyProperties {
    @Property(seed = "1")
    void a_strategy_is_read_back_from_its_text(@ForAll("strategies") RoutingStrategy strategy) {
        RoutingStrategy back = RoutingStrategy.parse(strategy.text());

        assertThat(back).isEqualTo(strategy);
        assertThat(back.text()).isEqualTo(strategy.text());
    }

    @Property(seed = "1")
    void a_text_is_a_strategy_or_refused_as_one(@ForAll("texts") String text) {
        try {
            RoutingStrategy strategy = RoutingStrategy.parse(text);
            assertThat(RoutingStrategy.parse(strategy.text())).isEqualTo(strategy);
        } catch (RoutingStrategy.InvalidException refused) {
            assertThat(refused.expected()).isNotEmpty();
        }
    }

    @Provide
    Arbitrary<RoutingStrategy> strategies() {
        Arbitrary<List<Kind>> kinds = Arbitraries.of(Kind.class)
                .list()
                .uniqueElements()
                .ofMinSize(1)
                .ofMaxSize(RoutingStrategy.MOST_TERMS)
                .filter(list -> list.size() == 1 || !list.contains(Kind.POWER_OF_TWO));
        Arbitrary<List<Integer>> weights = Arbitraries.integers()
                .between(0, RoutingStrategy.MOST_WEIGHT)
                .list()
                .ofSize(RoutingStrategy.MOST_TERMS)
                .filter(list -> list.getFirst() > 0);
        return Combinators.combine(kinds, weights).as(RoutingStrategyProperties::of);
    }

    private static RoutingStrategy of(List<Kind> kinds, List<Integer> weights) {
        List<Term> terms = IntStream.range(0, kinds.size())
                .mapToObj(i -> new Term(kinds.get(i), weights.get(i)))
                .toList();
        return new RoutingStrategy(terms, null, null);
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of(
                        "random", "load-balance", "power-of-two", "prefix-cache", ":", ",", " ", "1", "0", "-", "x")
                .list()
                .ofMaxSize(8)
                .map(parts -> String.join("", parts));
    }
}
