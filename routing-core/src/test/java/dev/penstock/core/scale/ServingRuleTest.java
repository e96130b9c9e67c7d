package dev.penstock.core.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.scale.ServingRule.Answer;
import dev.penstock.core.scale.ServingRule.Number;
import dev.penstock.core.scale.ServingRule.Unavailable;
import dev.penstock.model.Header;
import dev.penstock.model.PoolTarget;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServingRuleTest {
    private static final int PRESENT = 8;

    @Test
    void a_young_record_may_lower() {
        assertNumber(answer(target(5, "", 1_000), 3_000), 5, false, "");
    }

    @Test
    void an_older_one_neither_lowers_nor_raises() {
        String reason = "the last recommendation is 3 s old";
        assertNumber(answer(target(5, "", 1_000), 3_001), PRESENT, true, reason);
        assertNumber(answer(target(20, "", 1_000), 3_001), PRESENT, true, reason);
    }

    @Test
    void old_inputs_hold_however_young_the_record_is() {
        assertNumber(answer(target(5, "why", 3_001), 0), PRESENT, true, "why");
    }

    @Test
    void what_the_owner_holds_is_its_number() {
        assertNumber(answer(target(9, "warming up", 1_000), 0), 9, false, "warming up");
    }

    @Test
    void after_thirty_seconds_nothing_is_said() {
        assertThat(answer(target(5, "", 1_000), 30_000)).isInstanceOf(Number.class);
        assertThat(answer(target(5, "", 1_000), 30_001))
                .isEqualTo(new Unavailable("the last recommendation is 30 s old"));
        assertThat(answer(target(5, "why", 29_000), 1_000)).isInstanceOf(Number.class);
        assertThat(answer(target(5, "why", 29_000), 1_001))
                .isEqualTo(new Unavailable("no router told its demand for 30 s"));
        assertThat(ServingRule.answer(null, 0, PRESENT, AdviceTimes.DEFAULT)).isInstanceOf(Unavailable.class);
    }

    @Test
    void age_never_makes_a_pool_with_replicas_inactive() {
        PoolTarget idle = new PoolTarget(header(), Demands.POOL, 0, 1, 0, Map.of(), false, "", 0, 16);
        assertThat(((Number) ServingRule.answer(idle, 0, 1, AdviceTimes.DEFAULT)).active())
                .isFalse();
        assertThat(((Number) answer(idle, 4_000)).active()).isTrue();
    }

    private static Answer answer(PoolTarget target, long ageMillis) {
        return ServingRule.answer(target, ageMillis * 1_000_000, PRESENT, AdviceTimes.DEFAULT);
    }

    private static void assertNumber(Answer answer, int desired, boolean stale, String reason) {
        assertThat(answer).isInstanceOfSatisfying(Number.class, number -> {
            assertThat(number.desired()).isEqualTo(desired);
            assertThat(number.stale()).isEqualTo(stale);
            assertThat(number.holdReason()).isEqualTo(reason);
        });
    }

    private static PoolTarget target(int desired, String reason, long inputsAgeMillis) {
        return new PoolTarget(
                header(), Demands.POOL, desired, PRESENT, 0, Map.of(), true, reason, inputsAgeMillis * 1_000, 16);
    }

    private static Header header() {
        return new Header("advisor", 1, 1, 7, 0);
    }
}
