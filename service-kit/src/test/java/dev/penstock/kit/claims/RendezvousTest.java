package dev.penstock.kit.claims;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RendezvousTest {
    private static final List<String> THREE = List.of("a/1", "b/2", "c/3");

    @Test
    void a_member_that_leaves_moves_only_what_it_had() {
        List<String> two = List.of("a/1", "c/3");
        for (int key = 0; key < 1_000; key++) {
            String before = Rendezvous.first(THREE, "shard-" + key);
            String after = Rendezvous.first(two, "shard-" + key);
            if (!before.equals("b/2")) assertThat(after).isEqualTo(before);
        }
    }

    @Test
    void keys_are_shared_evenly() {
        Map<String, Integer> counts = new HashMap<>();
        for (int key = 0; key < 3_000; key++) counts.merge(Rendezvous.first(THREE, "shard-" + key), 1, Integer::sum);

        // 1,000 each; five standard deviations of a binomial are 130
        assertThat(counts.values()).allMatch(count -> count > 870 && count < 1_130);
    }

    @Test
    void nobody_is_first_of_none() {
        assertThat(Rendezvous.first(List.of(), "x")).isNull();
    }

    @Test
    void only_the_first_live_member_claims_and_only_what_nobody_live_has() {
        String first = Rendezvous.first(THREE, "verdicts");
        String other =
                THREE.stream().filter(each -> !each.equals(first)).findFirst().orElseThrow();

        assertThat(ClaimRule.shouldClaim("verdicts", first, THREE, null)).isTrue();
        assertThat(ClaimRule.shouldClaim("verdicts", other, THREE, null)).isFalse();
        assertThat(ClaimRule.shouldClaim("verdicts", first, THREE, standing(other, false)))
                .isFalse();
        assertThat(ClaimRule.shouldClaim("verdicts", first, THREE, standing(other, true)))
                .isTrue();
        assertThat(ClaimRule.shouldClaim("verdicts", first, THREE, standing("dead/9", false)))
                .isTrue();
        assertThat(ClaimRule.shouldClaim("verdicts", first, List.of(), null)).isFalse();
    }

    private static ClaimRule.Standing standing(String memberId, boolean released) {
        return new ClaimRule.Standing(memberId, 4, released);
    }
}
