package dev.penstock.collector.kvevents;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrefixChangesTest {
    private final PrefixChanges changes = new PrefixChanges();

    @Test
    void much_that_is_held_is_told_to_its_end_and_not_begun_again() {
        int held = PrefixChanges.MOST + 50_000;
        for (int i = 0; i < held; i++) changes.stored(i);

        int told = 0;
        int clears = 0;
        while (!changes.isEmpty()) {
            assertThat(changes.tooMany(held)).isFalse();
            var blocks = changes.take(1, 2_048);
            told += blocks.stored().length;
            if (blocks.cleared()) clears++;
        }

        assertThat(told).isEqualTo(held);
        assertThat(clears).isEqualTo(1);
    }

    @Test
    void too_many_removals_are_better_told_as_a_clear() {
        for (int i = 0; i < PrefixChanges.MOST; i++) changes.removed(i);
        assertThat(changes.tooMany(0)).isFalse();

        changes.removed(-1);
        assertThat(changes.tooMany(0)).isTrue();
    }
}
