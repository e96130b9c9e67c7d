package dev.penstock.enginesim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GateTest {
    private final Gate gate = new Gate();

    @Test
    void what_is_wanted_is_released_in_order_and_once() {
        List<Integer> released = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int number = i;
            gate.hold(() -> number != 2, () -> released.add(number));
        }

        gate.release();
        gate.release();

        assertThat(released).containsExactly(0, 1, 3);
        assertThat(gate.empty()).isTrue();
    }

    @Test
    void requests_nobody_wants_any_more_are_forgotten() {
        AtomicInteger asked = new AtomicInteger();
        for (int i = 0; i < 10_000; i++) {
            gate.hold(
                    () -> {
                        asked.incrementAndGet();
                        return false;
                    },
                    () -> {});
        }

        asked.set(0);
        gate.release();

        assertThat(asked.get()).isLessThanOrEqualTo(64);
    }
}
