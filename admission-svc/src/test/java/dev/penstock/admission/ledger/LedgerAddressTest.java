package dev.penstock.admission.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LedgerAddressTest {
    @Test
    void an_address_of_version_6_is_told_in_brackets() {
        assertThat(new LedgerAddress("::", 0, "2001:db8::7").toldWith(9084)).isEqualTo("[2001:db8::7]:9084");
        assertThat(new LedgerAddress("::", 0, "[2001:db8::7]").toldWith(9084)).isEqualTo("[2001:db8::7]:9084");
        assertThat(LedgerAddress.of("[::1]", 0, null)).isEqualTo(new LedgerAddress("::1", 0, "::1"));
        assertThat(new LedgerAddress("0.0.0.0", 0, "10.0.0.7").toldWith(9084)).isEqualTo("10.0.0.7:9084");
        assertThat(new LedgerAddress("0.0.0.0", 0, "owner.local").toldWith(9084))
                .isEqualTo("owner.local:9084");
    }
}
