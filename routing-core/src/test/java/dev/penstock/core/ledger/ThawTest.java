package dev.penstock.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ThawTest {
    private final Thaw thaw = new Thaw(Rules.ALL);

    @Test
    void two_idle_scrapes_in_a_row_that_began_afterwards_end_it() {
        thaw.stillHighest(100);

        assertThat(thaw.scraped(110, 120, 0, 0)).isFalse();
        assertThat(thaw.scraped(130, 140, 0, 0)).isTrue();
    }

    @Test
    void nothing_counts_before_the_owner_has_found_itself_the_highest() {
        assertThat(thaw.scraped(90, 95, 0, 0)).isFalse();
        thaw.stillHighest(100);
        assertThat(thaw.scraped(99, 105, 0, 0)).isFalse();
        assertThat(thaw.scraped(100, 105, 0, 0)).isFalse();

        assertThat(thaw.progress()).isEqualTo(1);
    }

    @Test
    void scrapes_that_overlap_are_one() {
        thaw.stillHighest(100);

        assertThat(thaw.scraped(110, 120, 0, 0)).isFalse();
        assertThat(thaw.scraped(115, 125, 0, 0)).isFalse();
        assertThat(thaw.scraped(126, 127, 0, 0)).isTrue();
    }

    @Test
    void a_busy_one_between_begins_anew() {
        thaw.stillHighest(100);

        thaw.scraped(110, 120, 0, 0);
        thaw.scraped(130, 140, 0, 1);

        assertThat(thaw.scraped(150, 160, 0, 0)).isFalse();
        assertThat(thaw.scraped(170, 180, 0, 0)).isTrue();
    }

    @Test
    void it_is_held_up_after_a_second_of_busy_scrapes() {
        thaw.stillHighest(0);

        for (int i = 1; i < 10; i++) thaw.scraped(100 * i, 100 * i + 1, 1, 0);
        assertThat(thaw.isHeldUp()).isFalse();
        thaw.scraped(1_000, 1_001, 0, 1);

        assertThat(thaw.isHeldUp()).isTrue();
    }
}
