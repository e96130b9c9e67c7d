package dev.penstock.ledgermodel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.ledger.Rule;
import dev.penstock.core.ledger.Rules;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each rule is needed: without it the ledger breaks, and from the same setting with it, it does not. */
class MutationsTest {
    private static final int MOST_STATES = 400_000;
    private static final String TWO_ROUTERS =
            "claim o0; register r0; enrol r0; register r1; enrol r1; read facts o0; open r0 o0; hear o0 r0 s0;"
                    + " open r1 o0; hear o0 r1 s0; grant o0 r0 i0; take r0 s0";
    /** Router 0 has gone over to owner 1 and given its slot back there; then it died and has a successor. */
    private static final String GONE_OVER = TWO_ROUTERS
            + "; claim o1; read facts o1; learn claims r0; open r0 o1; hear o1 r0 s1; give back r0 i0; hear o1 r0 s1;"
            + " die r0; register r2";
    /**
     * Router 0 died with a request at the engine; its successor came and left, and its deregistration is the last record of that
     * name. A registration would have named whom it follows.
     */
    private static final String DIED_BUSY = TWO_ROUTERS
            + "; admit r0 i0; write r0 i0; die r0; register r2; enrol r2; leave r2; deregister r2; claim o1; read"
            + " facts o1";

    private static final String SETTLED =
            "; enrol r2; open r2 o1; read routers o1; begin thaw o1 r0 i0; scrape o1 i0; scrape o1 i0";

    /** Router 0 has gone over, given its slot back there, and left; its successor is registered. */
    private static final String LEFT = TWO_ROUTERS
            + "; claim o1; read facts o1; learn claims r0; open r0 o1; hear o1 r0 s1; give back r0 i0; hear o1 r0 s1;"
            + " leave r0; deregister r0; register r2; enrol r2";

    private static final String SUCCESSOR = TWO_ROUTERS + "; claim o2; read facts o2; open r0 o2; hear o2 r0 s1";

    /** Each has one of two slots; the limit is lowered, and its next owner gets one back while the other holder is silent. */
    private static final String LOWERED = TWO_ROUTERS
            + "; grant o0 r1 i0; take r1 s0; lower; claim o1; read facts o1; learn claims r0; open r0 o1; hear o1 r0"
            + " s1";

    private record Setting(Bounds bounds, String steps) {}

    private static final Map<Rule, Setting> SETTINGS = Map.ofEntries(
            Map.entry(Rule.OWN_CLAIM, new Setting(bounds(2, 1, 3, 3), SUCCESSOR)),
            Map.entry(Rule.KEEP_EACH_INCARNATION, new Setting(leavingOver(), DIED_BUSY)),
            Map.entry(
                    Rule.REGISTER_THEN_READ,
                    new Setting(
                            bounds(2, 1, 2, 2),
                            "claim o0; enrol r0; claim o1; read facts o1; register r0; read facts o0")),
            Map.entry(Rule.SETTLED_BY_EARLIER, new Setting(bounds(2, 2, 2, 2), GONE_OVER + SETTLED)),
            Map.entry(Rule.CLAIM_THEN_READ, new Setting(bounds(2, 1, 2, 2), "claim o0")),
            Map.entry(Rule.CLOSING_IS_USED, new Setting(bounds(2, 1, 1, 1), "")),
            Map.entry(Rule.NEWEST_SESSION_ONLY, new Setting(bounds(2, 1, 1, 2), "")),
            Map.entry(Rule.DEAD_SAY_NOTHING, new Setting(bounds(2, 1, 1, 1), "")),
            Map.entry(Rule.PRESUME_HELD, new Setting(bounds(2, 1, 2, 2), TWO_ROUTERS)),
            Map.entry(
                    Rule.PRESUME_HIGHEST_LIMIT,
                    new Setting(new Bounds(2, 1, 2, 2, 1, 2, 1, false, true, false, false), LOWERED)),
            Map.entry(Rule.LEAVE_EMPTY, new Setting(leaving(), "")),
            Map.entry(Rule.THAW_AS_HIGHEST, new Setting(bounds(2, 2, 2, 2), GONE_OVER)),
            Map.entry(Rule.THAW_WHEN_IDLE, new Setting(bounds(2, 1, 1, 1), "")),
            Map.entry(Rule.LEFT_HERE_OR_EARLIER, new Setting(leavingOver(), LEFT)),
            Map.entry(Rule.DRAINING_GETS_NONE, new Setting(draining(), "claim o0")),
            Map.entry(Rule.DRAINED_WHEN_READ, new Setting(draining(), "claim o0")),
            Map.entry(Rule.NOTHING_SENT_BY_THE_DEAD, new Setting(bounds(2, 1, 1, 1), "")));

    private static Bounds bounds(int names, int lives, int owners, int sessions) {
        return new Bounds(names, lives, owners, sessions, 1, 1, 1, false, false, false, false);
    }

    private static Bounds leaving() {
        return new Bounds(2, 1, 1, 2, 1, 1, 1, false, false, true, false);
    }

    private static Bounds leavingOver() {
        return new Bounds(2, 2, 2, 2, 1, 1, 1, false, false, true, false);
    }

    private static Bounds draining() {
        return new Bounds(2, 1, 2, 2, 1, 1, 1, true, false, false, false);
    }

    @Test
    void every_rule_has_a_setting() {
        assertThat(SETTINGS).containsOnlyKeys(Rule.values());
    }

    @TestFactory
    Stream<DynamicTest> without_a_rule_the_ledger_breaks() {
        return Arrays.stream(Rule.values())
                .map(rule -> DynamicTest.dynamicTest(rule.name(), () -> {
                    Explorer.Found found = explored(rule, Rules.without(rule));
                    assertThat(found.violation()).isNotNull();
                }));
    }

    @TestFactory
    Stream<DynamicTest> with_it_the_same_states_are_safe() {
        return Arrays.stream(Rule.values())
                .map(rule -> DynamicTest.dynamicTest(rule.name(), () -> {
                    Explorer.Found found = explored(rule, Rules.ALL);
                    assertThat(found.violation())
                            .as(() -> Explorer.told(SETTINGS.get(rule).bounds(), Rules.ALL, found.path()))
                            .isNull();
                }));
    }

    private static Explorer.Found explored(Rule rule, Rules rules) {
        Setting setting = SETTINGS.get(rule);
        return new Explorer(setting.bounds(), rules, Step.parsed(setting.steps()), MOST_STATES).explore();
    }
}
