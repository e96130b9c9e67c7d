package dev.penstock.fleetsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventQueueTest {
    private final EventQueue events = new EventQueue();
    private final List<String> ran = new ArrayList<>();

    @Test
    void runsByTimeThenInTheOrderOfAsking() {
        events.at(20, () -> ran.add("b"));
        events.at(10, () -> ran.add("a"));
        events.at(20, () -> ran.add("c"));
        events.at(31, () -> ran.add("late"));

        events.runUntil(30);

        assertThat(ran).containsExactly("a", "b", "c");
        assertThat(events.nowNanos()).isEqualTo(30);
    }

    @Test
    void anActionMayAskForAnotherAtTheSameTime() {
        events.at(10, () -> events.after(0, () -> ran.add("next at " + events.nowNanos())));

        events.runUntil(10);

        assertThat(ran).containsExactly("next at 10");
    }

    @Test
    void aPeriodicActionEndsWhenItSaysSo() {
        events.every(5, 10, () -> {
            ran.add("at " + events.nowNanos());
            return ran.size() < 3;
        });

        events.runUntil(1000);

        assertThat(ran).containsExactly("at 5", "at 15", "at 25");
    }

    @Test
    void refusesThePast() {
        events.runUntil(10);

        assertThatThrownBy(() -> events.at(9, () -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("9 ns")
                .hasMessageContaining("10 ns");
    }
}
