package dev.penstock.router.ingress;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpVersion;
import org.junit.jupiter.api.Test;

class HeadRulesTest {
    @Test
    void what_http_1_could_not_carry_on_is_refused_over_http_2() {
        for (String value : new String[] {"a\rb", "a\nb", "\u0001", "\u007F", "\0"}) {
            assertThat(HeadRules.fault(HttpVersion.HTTP_2, headers("x", value))).isNotNull();
        }
        assertThat(HeadRules.fault(HttpVersion.HTTP_2, headers("x", "a\tb 水"))).isNull();
    }

    @Test
    void a_transfer_coding_other_than_chunked_is_refused() {
        for (String coding : new String[] {"identity", "gzip, chunked", "chunked, identity", ""}) {
            assertThat(HeadRules.fault(HttpVersion.HTTP_1_1, headers("transfer-encoding", coding)))
                    .as(coding)
                    .isNotNull();
        }
        assertThat(HeadRules.fault(HttpVersion.HTTP_1_1, headers("transfer-encoding", "Chunked")))
                .isNull();
        assertThat(HeadRules.fault(HttpVersion.HTTP_1_1, headers("x", "y"))).isNull();
    }

    private static MultiMap headers(String name, String value) {
        return MultiMap.caseInsensitiveMultiMap().add(name, value);
    }
}
