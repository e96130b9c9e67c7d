package dev.penstock.kit.registry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GenesisWatchTest {
    private final GenesisWatch watch = new GenesisWatch();

    @Test
    void the_first_of_two_counts_until_it_is_written_again() {
        assertThat(watch.state()).isEqualTo(new GenesisState.Missing());
        watch.record("a");
        watch.record("b");

        assertThat(watch.state()).isEqualTo(new GenesisState.Present("a"));
        assertThat(watch.overwritten()).isEqualTo("a");

        watch.record("a");
        assertThat(watch.overwritten()).isNull();
    }

    @Test
    void one_that_was_taken_away_is_missing_and_another_one_after_it_is_a_change() {
        watch.record("a");
        watch.record(null);
        assertThat(watch.state()).isEqualTo(new GenesisState.Missing());

        watch.record("b");
        assertThat(watch.state()).isEqualTo(new GenesisState.Changed("a", "genesis is b"));
        assertThat(watch.state().sound()).isFalse();
    }

    @Test
    void offsets_that_come_again_are_a_change_for_good() {
        watch.offset("t", 0);
        watch.record("a");
        watch.offset("t", 5);
        watch.offset("u", 1);
        assertThat(watch.state().sound()).isTrue();

        watch.offset("t", 0);
        watch.record("a");

        assertThat(watch.state())
                .isEqualTo(new GenesisState.Changed("a", "offset 0 of t after 5: it was made anew, or cut"));
    }
}
