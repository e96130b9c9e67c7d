package dev.penstock.kit.bus;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeldTest {
    private static final long MOST = 100;

    private final Held<String> held = new Held<>(MOST);

    @Test
    void what_may_wait_waits_from_the_first_of_them_on() {
        held.add("a", true, 1_000);
        held.add("b", true, 1_060);

        assertThat(held.waitNanos(1_060)).isEqualTo(40);
        assertThat(held.waitNanos(1_100)).isZero();
    }

    @Test
    void one_that_may_not_takes_all_along_in_order() {
        held.add("a", true, 1_000);
        held.add("b", false, 1_010);

        assertThat(held.waitNanos(1_010)).isZero();
        assertThat(held.poll()).isEqualTo("a");
        assertThat(held.poll()).isEqualTo("b");
        assertThat(held.isEmpty()).isTrue();
        held.add("c", true, 2_000);
        assertThat(held.waitNanos(2_000)).isEqualTo(MOST);
    }

    @Test
    void without_any_there_is_nothing_to_hurry_for() {
        assertThat(held.waitNanos(5_000)).isEqualTo(MOST);
        assertThat(held.poll()).isNull();
    }
}
