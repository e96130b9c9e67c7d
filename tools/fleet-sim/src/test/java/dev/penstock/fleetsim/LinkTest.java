package dev.penstock.fleetsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LinkTest {
    private final EventQueue events = new EventQueue();
    private final List<Long> arrivals = new ArrayList<>();

    @Test
    void delivers_after_its_delay() {
        send(1, new Link.Quality(7, 0, 0, 0));

        assertThat(arrivals).containsExactly(7L);
    }

    @Test
    void duplicates_come_one_delay_later() {
        send(1, new Link.Quality(7, 0, 0, 1));

        assertThat(arrivals).containsExactly(7L, 14L);
    }

    /** 10,000 records of which a tenth is lost: the standard deviation of what arrives is 30. */
    @Test
    void loses_its_share() {
        send(10_000, new Link.Quality(7, 0, 0.1, 0));

        assertThat(arrivals.size()).isCloseTo(9_000, within(120));
    }

    @Test
    void refuses_a_share_that_is_none() {
        assertThatThrownBy(() -> new Link.Quality(1, 0, 1.5, 0)).hasMessageContaining("loss 1.5");
        assertThatThrownBy(() -> new Link.Quality(1, 0, 0, -1)).hasMessageContaining("duplication -1.0");
    }

    /** Two records 1 ns apart with up to 100 ns of jitter: the second is first in about half of the cases. */
    @Test
    void jitter_lets_records_overtake_each_other() {
        int overtaken = 0;
        for (int seed = 0; seed < 200; seed++) {
            var clock = new EventQueue();
            List<String> order = new ArrayList<>();
            var link = new Link(clock, new Link.Quality(7, 100, 0, 0), List.of(), new SplittableRandom(seed));
            link.send(() -> order.add("first"));
            clock.after(1, () -> link.send(() -> order.add("second")));
            clock.runUntil(1_000);
            if (order.getFirst().equals("second")) overtaken++;
        }

        assertThat(overtaken).isBetween(70, 130);
    }

    @Test
    void nothing_passes_while_partitioned() {
        var partition = new Network.Disturbance("router-0", "router-1", 10, 20, Link.Quality.cut());
        var shape = new Network.Shape(Link.Quality.late(7), Link.Quality.late(7), List.of(partition));
        var network = new Network(events, shape, new Streams(1));
        for (long at : new long[] {9, 10, 19, 20}) {
            events.at(at, () -> network.vectors("router-0", "router-1").send(() -> arrivals.add(at)));
            events.at(at, () -> network.vectors("router-1", "router-0").send(() -> arrivals.add(1_000 + at)));
        }
        events.runUntil(1_000);

        assertThat(arrivals).containsExactly(9L, 1_009L, 1_010L, 1_019L, 20L, 1_020L);
    }

    private void send(int records, Link.Quality quality) {
        var link = new Link(events, quality, List.of(), new SplittableRandom(1));
        for (int i = 0; i < records; i++) link.send(() -> arrivals.add(events.nowNanos()));
        events.runUntil(1_000);
    }
}
