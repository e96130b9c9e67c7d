package dev.penstock.router.auth;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokenCacheTest {
    private static final Access GOOD = new Access.Granted(Tenant.DEFAULT);
    private static final Access BAD = Access.Reason.UNTRUSTED.refused();

    private final TokenCache cache = new TokenCache(3, 2);

    @Test
    void a_flood_of_forged_tokens_pushes_out_no_good_one() {
        cache.put(hash(1), new Verdict(GOOD, 100));
        for (int i = 2; i < 1000; i++) cache.put(hash(i), new Verdict(BAD, 100));

        assertThat(cache.get(hash(1), 99)).isNotNull();
        assertThat(cache.size()).isEqualTo(3);
    }

    @Test
    void the_one_that_was_not_asked_for_longest_goes() {
        for (int i = 1; i <= 3; i++) cache.put(hash(i), new Verdict(GOOD, 100));
        cache.get(hash(1), 0);
        cache.put(hash(4), new Verdict(GOOD, 100));

        assertThat(cache.get(hash(1), 0)).isNotNull();
        assertThat(cache.get(hash(2), 0)).isNull();
    }

    @Test
    void a_verdict_counts_until_its_time_and_is_replaced() {
        cache.put(hash(1), new Verdict(BAD, 100));
        assertThat(cache.get(hash(1), 100)).isNull();

        cache.put(hash(1), new Verdict(GOOD, 200));

        assertThat(cache.get(hash(1), 100)).isEqualTo(new Verdict(GOOD, 200));
        assertThat(cache.size()).isOne();
    }

    private static KeyHash hash(int i) {
        return new KeyHash(i, 0, 0, i);
    }
}
