package dev.penstock.health.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.model.Verdict;
import dev.penstock.model.Verdict.Ejected;
import dev.penstock.model.Verdict.HalfOpen;
import dev.penstock.model.Verdict.Ramp;
import dev.penstock.model.Verdict.Severity;
import dev.penstock.model.Verdict.Suspect;
import org.junit.jupiter.api.Test;

class VerdictPublisherTest {
    @Test
    void time_that_passes_is_no_change() {
        assertThat(changed(new Ejected(Severity.HARD, "c", 1, 900), new Ejected(Severity.HARD, "c", 1, 100)))
                .isFalse();
        assertThat(changed(new Ramp(1, 15), new Ramp(9, 15))).isFalse();
        assertThat(changed(Verdict.HEALTHY, Verdict.HEALTHY)).isFalse();
    }

    @Test
    void what_routers_act_on_is_a_change() {
        assertThat(changed(new Ejected(Severity.HARD, "c", 1, 0), new Ejected(Severity.SOFT, "c", 1, 0)))
                .isTrue();
        assertThat(changed(new Ejected(Severity.HARD, "c", 1, 0), new Ejected(Severity.HARD, "c", 2, 0)))
                .isTrue();
        assertThat(changed(new HalfOpen("c", 1, "router-0", 0), new HalfOpen("c", 1, "router-1", 0)))
                .isTrue();
        assertThat(changed(new HalfOpen("c", 1, "router-0", 0), new HalfOpen("c", 1, "router-0", 1)))
                .isTrue();
        assertThat(changed(Verdict.HEALTHY, new Suspect("c"))).isTrue();
        assertThat(changed(Verdict.UNKNOWN, Verdict.HEALTHY)).isTrue();
        assertThat(changed(new HalfOpen("c", 1, "router-0", 2), new Ramp(0, 15)))
                .isTrue();
    }

    private static boolean changed(Verdict before, Verdict after) {
        return VerdictPublisher.changed(before, after);
    }
}
