package dev.penstock.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AssumedThawTest {
    private final AssumedThaw thaw = new AssumedThaw(2);

    @Test
    void so_many_scrapes_with_a_moving_heartbeat_end_it() {
        thaw.stillHighest(100);

        assertThat(thaw.scraped(110, 120, 5)).isFalse();
        assertThat(thaw.scraped(130, 140, 6)).isFalse();
        assertThat(thaw.scraped(150, 160, 7)).isTrue();
    }

    @Test
    void an_engine_that_stands_still_or_restarts_begins_anew() {
        thaw.stillHighest(100);
        thaw.scraped(110, 120, 5);
        thaw.scraped(130, 140, 6);

        assertThat(thaw.scraped(150, 160, 6)).isFalse();
        assertThat(thaw.scraped(170, 180, 7)).isFalse();
        assertThat(thaw.scraped(190, 200, 1)).isFalse();
        assertThat(thaw.scraped(210, 220, 2)).isFalse();
        assertThat(thaw.scraped(230, 240, 3)).isTrue();
    }

    @Test
    void nothing_counts_before_the_owner_has_found_itself_the_highest() {
        assertThat(thaw.scraped(10, 20, 1)).isFalse();
        assertThat(thaw.scraped(30, 40, 2)).isFalse();
        thaw.stillHighest(50);

        assertThat(thaw.scraped(45, 60, 3)).isFalse();
        assertThat(thaw.scraped(70, 80, 4)).isFalse();
    }
}
