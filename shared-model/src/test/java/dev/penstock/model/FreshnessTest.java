package dev.penstock.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FreshnessTest {
    private static final long MS = 1_000_000;

    @Test
    void limits_follow_the_sampling_interval() {
        assertThat(Freshness.of(150 * MS, 50 * MS)).isEqualTo(Freshness.FRESH);
        assertThat(Freshness.of(151 * MS, 50 * MS)).isEqualTo(Freshness.STALE);
        assertThat(Freshness.of(2_000 * MS, 50 * MS)).isEqualTo(Freshness.STALE);
        assertThat(Freshness.of(2_001 * MS, 50 * MS)).isEqualTo(Freshness.MISSING);
        assertThat(Freshness.of(3_000 * MS, 1_000 * MS)).isEqualTo(Freshness.FRESH);
        assertThat(Freshness.of(4_000 * MS, 1_000 * MS)).isEqualTo(Freshness.STALE);
        assertThat(Freshness.of(4_001 * MS, 1_000 * MS)).isEqualTo(Freshness.MISSING);
    }
}
