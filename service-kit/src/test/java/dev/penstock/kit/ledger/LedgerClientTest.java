package dev.penstock.kit.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.net.SocketAddress;
import org.junit.jupiter.api.Test;

class LedgerClientTest {
    @Test
    void an_address_of_version_6_comes_in_brackets() {
        SocketAddress six = LedgerClient.parse("[2001:db8::7]:9084");
        assertThat(six.host()).isEqualTo("2001:db8::7");
        assertThat(six.port()).isEqualTo(9084);
        assertThat(LedgerClient.parse("owner.local:9084").host()).isEqualTo("owner.local");
    }
}
