package dev.penstock.collector.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.model.Replica;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShardPlanTest {
    private static final List<Replica> FLEET = IntStream.range(1, 200)
            .mapToObj(i -> Replica.serving("m", "engine-" + i, i, "u" + i, "http://e:" + i))
            .toList();

    private final List<Replica> scraped = new ArrayList<>();
    private final List<Replica> owned = new ArrayList<>();
    private final ShardPlan plan = new ShardPlan("a", next -> become(scraped, next), next -> become(owned, next));

    private static void become(List<Replica> list, List<Replica> next) {
        list.clear();
        list.addAll(next);
    }

    @Test
    void a_collector_that_is_not_known_to_live_scrapes_everything_and_owns_nothing() {
        plan.roster(FLEET);

        assertThat(scraped).isEqualTo(FLEET);
        assertThat(owned).isEmpty();
    }

    @Test
    void members_divide_the_fleet() {
        plan.roster(FLEET);
        plan.members(List.of("a", "b"));

        assertThat(owned).isEqualTo(scraped).hasSizeBetween(1, FLEET.size() - 1);

        plan.members(List.of("a"));
        assertThat(owned).isEqualTo(scraped).isEqualTo(FLEET);
    }

    @Test
    void who_drops_out_of_the_list_goes_on_with_what_it_owned_and_with_no_more() {
        plan.roster(FLEET);
        plan.members(List.of("a", "b"));
        List<Replica> before = List.copyOf(owned);

        plan.members(List.of("b"));
        assertThat(scraped).isEqualTo(FLEET);
        assertThat(owned).isEqualTo(before);

        plan.roster(FLEET.subList(0, 50));
        assertThat(owned).isNotEmpty().isSubsetOf(FLEET.subList(0, 50)).isSubsetOf(before);
    }
}
