package dev.penstock.kit.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.model.ClaimRecord;
import dev.penstock.model.Header;
import dev.penstock.model.Holder;
import org.junit.jupiter.api.Test;

class StandingClaimsTest {
    private static final String ROLE = "ledger/local/llama";

    private final StandingClaims claims = new StandingClaims();

    @Test
    void the_latest_claim_stands_and_older_ones_never_revive() throws Exception {
        claims.record(claim("a", false), 3);
        claims.record(claim("b", false), 7);

        assertThat(claims.record(claim("a", false), 5)).isNull();
        assertThat(claims.of(ROLE)).isEqualTo(new StandingClaim(ROLE, new Holder("b", 1), 7, "b:9084", false));

        claims.record(claim("b", true), 10);
        assertThat(claims.of(ROLE)).extracting(StandingClaim::released).isEqualTo(true);
        assertThat(claims.floorEpoch(ROLE)).isEqualTo(10);
        assertThat(claims.floorEpoch("other")).isEqualTo(Header.NO_EPOCH);
    }

    @Test
    void what_is_read_is_what_compaction_leaves() throws Exception {
        claims.record(claim("a", false), 3);
        claims.record(claim("b", false), 7);
        StandingClaim read = claims.record(claim("a", true), 9);

        assertThat(new StandingClaims().record(claim("a", true), 9)).isEqualTo(read);
        assertThat(read.released()).isTrue();
    }

    private static ClaimRecord claim(String by, boolean released) {
        return new ClaimRecord(new Header(by, 1, 1, Header.NO_EPOCH, 1), ROLE, released, by + ":9084");
    }
}
