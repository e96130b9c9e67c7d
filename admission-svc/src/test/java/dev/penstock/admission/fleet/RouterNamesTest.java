package dev.penstock.admission.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RouterNamesTest {
    @Test
    void two_incarnations_of_a_router_count_once() {
        assertThat(RouterNames.of(List.of("b/01", "a/02", "b/03", "zone/c/04"))).containsExactly("a", "b", "zone/c");
    }
}
