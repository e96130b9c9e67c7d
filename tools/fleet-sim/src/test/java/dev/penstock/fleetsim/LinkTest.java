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
        send(1, new Link.Quality(7, 0, 0));

        assertThat(arrivals).containsExactly(7L);
    }

    @Test
    void duplicates_come_one_delay_later() {
        send(1, new Link.Quality(7, 0, 1));

        assertThat(arrivals).containsExactly(7L, 14L);
    }

    /** 10,000 records of which a tenth is lost: the standard deviation of what arrives is 30. */
    @Test
    void loses_its_share() {
        send(10_000, new Link.Quality(7, 0.1, 0));

        assertThat(arrivals.size()).isCloseTo(9_000, within(120));
    }

    @Test
    void refuses_a_share_that_is_none() {
        assertThatThrownBy(() -> new Link.Quality(1, 1, 0)).hasMessageContaining("loss 1.0");
        assertThatThrownBy(() -> new Link.Quality(1, 0, -1)).hasMessageContaining("duplication -1.0");
    }

    private void send(int records, Link.Quality quality) {
        var link = new Link(events, quality, new SplittableRandom(1));
        for (int i = 0; i < records; i++) link.send(() -> arrivals.add(events.nowNanos()));
        events.runUntil(1_000);
    }
}
